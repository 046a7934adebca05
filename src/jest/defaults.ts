/** The global by which Jest hands options of its config on to test files. */
export const defaultsName = 'vitest-dpor: options'
