export function callEach<T>(list: readonly T[], callback: (one: T) => unknown): void {
  for (const one of list) callback(one)
}
