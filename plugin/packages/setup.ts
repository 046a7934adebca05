/** Runs early in every test worker. In a browser Node loads nothing, and what the rest needs is not there. */
if (typeof globalThis.process?.versions?.node === 'string') await import('./start.ts')
export {}
