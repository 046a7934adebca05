const waiting: string[] = []

/** A message queue whose state nobody sees, as that of a native add-on. */
export const native = {
  push: (message: string): void => void waiting.push(message),
  pop: (): string | undefined => waiting.shift(),
  size: (): number => waiting.length,
  clear: (): void => void waiting.splice(0),
}
