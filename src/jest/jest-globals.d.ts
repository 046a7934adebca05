/** Jest's own types are not at hand where this package is built. */
declare module '@jest/globals' {
  export const test: import('./framework.ts').JestTest
  export const expect: import('./framework.ts').JestExpect
}
