let atEnd: (() => void) | undefined

/** From now on it is called where a test file is over. */
export function whenFileEnds(call: () => void): void {
  atEnd = call
}

export const fileIsOver = (): void => atEnd?.()
