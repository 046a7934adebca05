export const source = (o: { p: number }): string => (() => o.p).toString()
