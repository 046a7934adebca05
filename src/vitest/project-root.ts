/** The directory of Vitest's project, which paths are shown relative to. */
export function projectRoot(): string {
  const worker = (globalThis as { __vitest_worker__?: { config?: { root?: string } } }).__vitest_worker__
  return worker?.config?.root ?? process.cwd()
}
