/** `build.js` writes it where there is one. */
declare const wholeScript: string | undefined

/** In a browser Node's modules are not there, and it loads the files one by one; so does who works at this package. */
const isScript = typeof wholeScript === 'string' && typeof globalThis.process?.versions?.node === 'string'

export const loadWhole = async (): Promise<{ prepare(): void }> => (isScript ? (await import('./own-script.ts')).whole() : import('./explores.ts'))
