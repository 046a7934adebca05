/** The part of picomatch that the plugin uses; it comes without types. */
declare module 'picomatch' {
  const picomatch: { makeRe(glob: string, options?: { dot?: boolean }): RegExp }
  export default picomatch
}
