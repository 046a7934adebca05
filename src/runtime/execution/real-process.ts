/** Jest gives each test file a copy of `process`, on which nothing is heard. */
export const realProcess = (globalThis.process?.getBuiltinModule?.('node:vm').runInThisContext('process') as NodeJS.Process | undefined) ?? globalThis.process
