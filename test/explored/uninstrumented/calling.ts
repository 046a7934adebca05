export function callEach<T>(list: readonly T[], callback: (one: T) => unknown): void {
  for (const one of list) callback(one)
}

/** A promise that is settled when it is returned. */
export function settledWith<T>(value: T): Promise<T> {
  return Promise.resolve(value)
}
