/** What is there before any test: frozen by the first who uses it, as initial states of reducers are. */
export const initial = { fresh: { n: 0, list: [1] }, changed: { n: 0 }, late: { n: 0 }, sealed: { n: 0 } }
