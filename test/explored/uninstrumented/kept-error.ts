let kept: unknown

/** As React does, it keeps what was thrown, and throws it again. */
export function keepingErrors(work: () => void): void {
  if (kept !== undefined) throw kept
  try {
    work()
  } catch (error) {
    kept = error
    throw error
  }
}
