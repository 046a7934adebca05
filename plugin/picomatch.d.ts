/** The part of picomatch that the plugin uses; it comes without types. */
declare module 'picomatch' {
  export default function picomatch(glob: string, options?: { dot?: boolean }): (file: string) => boolean
}
