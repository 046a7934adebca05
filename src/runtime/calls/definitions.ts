let begins: (() => () => void) | undefined

/** Tests are defined whose function is over at once: from now on `begin` is called before, and what it returns after. */
export function onDefinition(begin: () => () => void): void {
  begins = begin
}

export const definitionBegins = (): (() => void) | undefined => begins?.()
