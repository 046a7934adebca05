import { Array, Object, Reflect } from '../../engine/intrinsics.ts'

/**
 * Stacks of errors are those of the user's code. Frames of the runtime between two of the user's are left out, and with them what it calls a function by; a name that
 * the rewriting has given a function is none. Frames above the user's first one stay, unless they only call what the program has called: an error that the runtime throws shows where.
 */

type Prepare = (error: Error, frames: NodeJS.CallSite[]) => unknown

const mark = Symbol.for('vitest-dpor:stack-frames')

/** Where the files of this package are, without the scheme: frames have their files with and without it. */
const root = rootOf(import.meta.url)

function rootOf(url: string | undefined): string | undefined {
  const [, before, folder] = /^(?:file:\/\/)?(.*\/)(src|chunks)\/.*$/s.exec(url ?? '') ?? []
  return before && (before.endsWith('/dist/') ? before : `${before}${folder}/`)
}

const isOwn = (frame: NodeJS.CallSite): boolean => (frame.getFileName() ?? '').replace(/^file:\/\//, '').startsWith(root!)

/** `Reflect.apply` and its like, by which the runtime calls what the program has called otherwise. */
const isMeans = (frame: NodeJS.CallSite): boolean => !frame.getFileName() && /^Reflect\.(?:apply|get|set|construct) \(<anonymous>\)$/.test(String(frame))

/** It calls what the program has called (`accesses/invoke.ts`, `accesses/construct.ts`): an error that is made there, as by `Error(message)`, is the program's. */
const callsForProgram = (frame: NodeJS.CallSite): boolean => isOwn(frame) && /^(?:callWith|constructWith)\d*$/.test(frame.getFunctionName() ?? '')

function withoutOwn(written: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const frames = ofCalls(written.some(isInside) ? joined(written) : written)
  const first = frames[0] && callsForProgram(frames[0]) ? 0 : frames.findIndex((frame) => !isOwn(frame) && !isMeans(frame))
  if (first < 0) return frames
  return frames.filter((frame, index) => index < first || !(isOwn(frame) || (isMeans(frame) && frames[index + 1] && isOwn(frames[index + 1]!))))
}

/** What the rewriting has put into a function that stands twice (`plugin/3-rewrite/leaf-functions.ts`). */
const isInside = (frame: NodeJS.CallSite): boolean => /^\$+dpor_/.test(frame.getFunctionName() ?? '')

/** One frame for such a function: who it is says the outer one, where it is the inner one. */
function joined(frames: readonly NodeJS.CallSite[]): NodeJS.CallSite[] {
  return frames.flatMap((frame, index) => {
    const inside = frames[index - 1]
    if (inside && isInside(inside)) return [placedIn(frame, inside)]
    return isInside(frame) && index + 1 < frames.length ? [] : [frame]
  })
}

/** By which the rewriting has an async function call what has its body. */
const isRun = (frame: NodeJS.CallSite | undefined): boolean => frame !== undefined && frame.getFunctionName() === 'run' && isOwn(frame)

/** One frame for an async function that has not awaited anything yet. */
function ofCalls(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  if (!frames.some(isRun)) return frames
  const kept: NodeJS.CallSite[] = []
  for (const [index, frame] of frames.entries()) {
    let body = isRun(frames[index - 1]) && !isOwn(frame) ? kept.length - 1 : -1
    while (body >= 0 && isOwn(kept[body]!)) body--
    if (body < 0 || kept[body]!.getFileName() !== frame.getFileName()) kept.push(frame)
    else kept.splice(body, kept.length, placedIn(frame, kept[body]!))
  }
  return kept
}

const places = new Set(['getLineNumber', 'getColumnNumber', 'getPosition', 'getEnclosingLineNumber', 'getEnclosingColumnNumber'])

/** What writes stacks copies the methods of a frame's prototype. */
function placedIn(frame: NodeJS.CallSite, place: NodeJS.CallSite): NodeJS.CallSite {
  const methods: Record<string, unknown> = {}
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(frame))) {
    const method: unknown = Reflect.get(frame, name)
    if (name !== 'constructor' && typeof method === 'function') methods[name] = () => Reflect.apply(method, places.has(name) ? place : frame, [])
  }
  methods['toString'] = () => String(frame).replace(/:\d+:\d+(\)?)$/, `:${place.getLineNumber()}:${place.getColumnNumber()}$1`)
  return Object.create(methods) as NodeJS.CallSite
}

/** While exploring, as many frames are kept as this, so that enough are left without those of the runtime. */
let raised: number | undefined
const times = 8

/** A place that the rewriting has named is written as the platform writes one without a name. */
const withoutNames = (text: string): string =>
  text.replace(/^( +at (?:async )?)(new |[\w$.]+\.)?\$+\d+(?: \[as ([^\]\n]+)\])? \((.*)\)$/gm, (_, at: string, receiver: string | undefined, method: string | undefined, place: string) =>
    receiver === undefined ? `${at}${place}` : `${at}${receiver}${method ?? '<anonymous>'} (${place})`)

function hiding(prepare: Prepare): Prepare {
  const hidden: Prepare = (error, frames) => {
    const shown = withoutOwn(frames)
    const isLonger = shown.length < frames.length || frames.length === raised
    const text = Reflect.apply(prepare, globalThis.Error, [error, isLonger ? shown.slice(0, shownLimit()) : frames])
    return typeof text === 'string' ? withoutNames(text) : text
  }
  return Object.defineProperty(hidden, mark, { value: true })
}

function shownLimit(): number {
  const limit = globalThis.Error.stackTraceLimit
  return limit === raised ? limit / times : limit
}

/** Stacks are written by a function of the test framework's already: this one stands in front of it. */
export function hideOwnFrames(): void {
  const { prepareStackTrace } = globalThis.Error as { prepareStackTrace?: Prepare }
  if (root !== undefined && prepareStackTrace && !Object.hasOwn(prepareStackTrace, mark)) globalThis.Error.prepareStackTrace = hiding(prepareStackTrace)
}

/** An exploration begins; returns what ends it. */
export function keepMoreFrames(): () => void {
  const { stackTraceLimit, prepareStackTrace } = globalThis.Error as { stackTraceLimit: unknown; prepareStackTrace?: Prepare }
  if (typeof stackTraceLimit !== 'number' || stackTraceLimit < 1 || stackTraceLimit > 100 || !prepareStackTrace || !Object.hasOwn(prepareStackTrace, mark)) return () => {}
  const more = stackTraceLimit * times
  globalThis.Error.stackTraceLimit = raised = more
  return () => {
    if (globalThis.Error.stackTraceLimit === more) globalThis.Error.stackTraceLimit = stackTraceLimit
    raised = undefined
  }
}

/** Methods of Node's by which a listener is handed on from one class to the other, and what its HTTP server puts in their place. */
const registers = /(?:^|\.)(?:on|once|addListener|prependListener|prependOnceListener|socketListenerWrap)$/
const mostRegistering = 40

/**
 * The files of the code that registers a listener now, the one that does so first, and not those of who has handed it on: of what Node has written `node:` stands
 * in front.
 */
export function registrants(): readonly string[] {
  const { Error } = globalThis as unknown as { Error: { new (): { readonly stack: unknown }; stackTraceLimit: unknown; prepareStackTrace: unknown } }
  const { stackTraceLimit, prepareStackTrace } = Error
  try {
    Error.stackTraceLimit = mostRegistering
    Error.prepareStackTrace = (_: unknown, frames: unknown) => frames
    const { stack } = new Error()
    if (!Array.isArray(stack)) return []
    const others = (stack as NodeJS.CallSite[]).filter((frame) => !isOwn(frame) && !isMeans(frame))
    const first = others.findIndex((frame) => !(fileOf(frame).startsWith('node:') && registers.test(frame.getFunctionName() ?? '')))
    return first < 0 ? [] : others.slice(first).map(fileOf)
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
}

const fileOf = (frame: NodeJS.CallSite): string => frame.getFileName() ?? ''
