interface Deadline {
  clear?: () => void
}

/**
 * Vitest 5 ends a test by a timer that it sets where the test begins, and keeps on its runner. In an execution that would be one timer of the
 * program's more, for which time passes once nothing else is left to do: a deadlock would be told as a timeout.
 */
export function leaveOutDeadlines(runner: object, isInExecution: () => boolean): void {
  let last = Reflect.get(runner, '_deadline') as Deadline | undefined
  const met = new WeakSet<Deadline>()
  Object.defineProperty(runner, '_deadline', {
    configurable: true,
    enumerable: true,
    get: () => last,
    set: (deadline: Deadline | undefined) => {
      last = deadline
      if (!deadline || met.has(deadline)) return
      met.add(deadline)
      if (isInExecution()) deadline.clear?.()
    },
  })
}
