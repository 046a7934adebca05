/** In a browser Node loads nothing, and what the rest needs is not there. */
export const isInNode = typeof globalThis.process?.versions?.node === 'string'

// Runs early in every test worker.
if (isInNode) await import('./start.ts')
