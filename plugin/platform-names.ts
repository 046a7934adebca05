/**
 * Names of what the platform has put on the global object before anybody's code has run. In a test worker an environment may have added
 * its own by the time at which it is asked for, so that the main process says it there.
 */
export const platformNames: readonly string[] = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__'))
