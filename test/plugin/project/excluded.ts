export const source = (o: { p: number }): (() => number) => () => o.p
