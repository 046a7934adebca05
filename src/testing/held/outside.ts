/** Modules of Node's whose functions find nothing outside the process that could be other the next time. */
const pure = new Set([
  'assert', 'assert/strict', 'async_hooks', 'buffer', 'console', 'constants', 'crypto', 'diagnostics_channel', 'events', 'path', 'path/posix', 'path/win32', 'perf_hooks', 'punycode', 'querystring',
  'stream', 'stream/promises', 'stream/web', 'string_decoder', 'timers', 'timers/promises', 'url', 'util', 'util/types', 'zlib',
])

/** Variables that are others in each run, or of each worker. */
const ofOneRun = /^(?:npm_|VITEST|TINYPOOL|JEST_|DPOR|GITHUB_|RUNNER_|ACTIONS_|INVOCATION_ID$|CI_|BUILD|SSH_|XDG_|DBUS_|TERM|VSCODE_|WT_|ITERM|TMUX|STY$|WINDOW|COLUMNS$|LINES$|COLORTERM$|FORCE_COLOR$|NO_COLOR$|SHLVL$|PWD$|OLDPWD$|INIT_CWD$|_$|NODE$)/

/** The variables of the environment that tests rest on, whether they ask for them or not. */
export const lastingVariables = (environment: NodeJS.ProcessEnv): string[] =>
  Object.entries(environment).flatMap(([name, value]) => (ofOneRun.test(name) ? [] : [`${name}=${value}`])).toSorted()

export const isModuleOfNode = (name: string): boolean => process.getBuiltinModule('node:module').isBuiltin(name)

/** Whether code that loads this module of Node's may look at files, sockets and the like. */
export const leadsOutside = (name: string): boolean => !pure.has(name.replace(/^node:/, ''))

/** Code that reaches what is outside by other ways than the import of a module, or loads what nobody can tell. */
const ways = /\brequire\s*[(.]|\bgetBuiltinModule\b|\bimport\.meta\.(?:glob|resolve)\b|\btoMatchFileSnapshot\b|\bfetch\s*\(|\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest|Worker)\b/
/** `process.env` but for one variable that is named. */
const wholeEnvironment = /\bprocess\.env\b(?!\s*(?:\??\.\s*\w|\??\.?\[\s*['"]))/
const variable = /\benv\s*(?:\??\.\s*|\??\.?\[\s*['"])(\w+)/g

/** Whether the text of a file says that its code may find something else the next time, although no file and no lasting variable has changed. */
export function reachesOutside(text: string): boolean {
  return ways.test(text) || wholeEnvironment.test(text) || [...text.matchAll(variable)].some(([, name]) => ofOneRun.test(name!))
}
