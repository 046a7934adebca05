import { Array } from '../../../engine/intrinsics.ts'
import type { CommandAccess, KeyAccess } from './commands.ts'

/** Finds the accesses of a command. */
type AccessOf = (command: { readonly name: string; readonly args: readonly string[] }) => CommandAccess

/** Stands for any key that the script is given. */
const given = 'KEYS'

/** Which of its arguments are keys depends on what others say. */
const depends = new Set('zunionstore zinterstore zdiffstore zunion zinter zdiff sintercard zintercard lmpop zmpop sort sort_ro georadius georadiusbymember xread xreadgroup copy'.split(' '))

const harmless = new Set(['sha1hex', 'error_reply', 'status_reply', 'log', 'setresp', 'replicate_commands', 'breakpoint', 'LOG_DEBUG', 'LOG_VERBOSE', 'LOG_NOTICE', 'LOG_WARNING'])

/** Whether a Lua script keeps to the keys that it is given: each command in its text gets those alone. What is not written plainly does not. */
export function keepsToItsKeys(text: string, accessOf: AccessOf): boolean {
  const script = withoutComments(text)
  if (/\b(?:load|loadstring|_G|_ENV|getfenv|setfenv)\b/.test(script) || usesKeysOtherwise(script)) return false
  const names = namesOfKeys(script)
  for (const { index, 0: found } of script.matchAll(/\b(?:redis|server)\b/g)) {
    const rest = script.slice(index + found.length)
    const [, member] = /^\s*\.\s*(\w+)/.exec(rest) ?? []
    if (member !== undefined && harmless.has(member)) continue
    const [called, , name] = /^\s*\.\s*p?call\s*\(\s*(["'])(\w+)\1\s*/.exec(rest) ?? []
    if (called === undefined || name === undefined) return false
    const args = argumentsIn(rest.slice(called.length))
    if (!args || !keeps(name.toLowerCase(), args.map((arg) => (isKey(arg, names) ? given : `?${arg}`)), accessOf)) return false
  }
  return true
}

function keeps(name: string, args: readonly string[], accessOf: AccessOf): boolean {
  if (depends.has(name)) return false
  const { keys, database, channels } = accessOf({ name, args })
  return database === undefined && channels === undefined && keys.every(({ key }: KeyAccess) => key === given)
}

const withoutComments = (text: string): string => text.replace(/--\[(=*)\[[^]*?\]\1\]|--[^\n]*/g, ' ')

/** It changes the list, or hands it to others. */
const usesKeysOtherwise = (script: string): boolean => /\bKEYS\b\s*(?:\[[^\]]*\])?\s*=(?!=)/.test(script) || /\bKEYS\b(?!\s*\[)/.test(script.replace(/#\s*KEYS\b|\b(?:unpack|ipairs)\s*\(\s*KEYS\s*\)/g, ''))

/** Variables that stand for keys from beginning to end: `local key = KEYS[1]`, `for _, key in ipairs(KEYS)`. */
function namesOfKeys(script: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, variables, values] of script.matchAll(/\blocal\s+(\w+(?:\s*,\s*\w+)*)\s*=\s*(KEYS\s*\[\s*\w+\s*\](?:\s*,\s*KEYS\s*\[\s*\w+\s*\])*)(?!\s*(?:\.\.|[,+*/%^-]))/g)) {
    const all = variables!.split(/\s*,\s*/)
    if (all.length === values!.split(',').length) for (const name of all) names.add(name)
  }
  for (const [, name] of script.matchAll(/\bfor\s+\w+\s*,\s*(\w+)\s+in\s+ipairs\s*\(\s*KEYS\s*\)/g)) names.add(name!)
  return new Set([...names].filter((name) => timesGiven(script, name) === 1))
}

/** How often a variable is declared, or gets a value. */
function timesGiven(script: string, name: string): number {
  const list = String.raw`(?:[\w\s,]*,)?\s*${name}\b`
  return [...script.matchAll(new RegExp(String.raw`\b(?:local|for)\s+${list}|\bfunction\b[^(]*\(${list}|(?<!\blocal\s[\w\s,]*)(?<![\w.])${name}\s*(?:,[\w\s,]*)?=(?!=)`, 'g'))].length
}

const isKey = (arg: string, names: ReadonlySet<string>): boolean => names.has(arg) || /^KEYS\s*\[\s*\w+\s*\]$/.test(arg) || /^unpack\s*\(\s*KEYS\s*\)$/.test(arg)

/** Those of a call, after its first one, up to the bracket that ends it; undefined where the text is beyond us. */
function argumentsIn(text: string): readonly string[] | undefined {
  const args: string[] = []
  let depth = 0
  let start = 1
  let quote = ''
  for (const [i, character] of Array.from(text).entries()) {
    if (character === '\\' || text.startsWith('[[', i)) return undefined
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && depth > 0) depth--
    else if (depth === 0 && (character === ',' || character === ')')) {
      if (i > 0) args.push(text.slice(start, i).replace(/^\s+|\s+$/g, ''))
      start = i + 1
      if (character === ')') return args
    }
  }
  return undefined
}

const texts = new Map<string, string>()

/** A script may be called by its checksum from now on. */
export function rememberScript(text: string, checksum = sha1(text)): void {
  if (checksum !== undefined) texts.set(checksum, text)
}

const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
const sha1 = (text: string): string | undefined => crypto?.createHash('sha1').update(text).digest('hex')

const known = new Map<string, boolean>()

/** Whether a script keeps to its keys: one that is given as its text, or by its checksum. */
export function isKnownScript(script: string, accessOf: AccessOf): boolean {
  const text = texts.get(script.toLowerCase()) ?? script
  if (text === script && /^[\da-f]{40}$/i.test(script)) return false
  let isKnown = known.get(text)
  if (isKnown === undefined) known.set(text, (isKnown = keepsToItsKeys(text, accessOf)))
  return isKnown
}
