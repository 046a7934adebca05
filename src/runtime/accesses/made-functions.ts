import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { asideOf } from '../execution/one-line.ts'
import { areKeptApart } from '../execution/replaced-tools.ts'
import { besideSteps, running } from '../execution/running.ts'
import type { InstrumentText } from '../execution/shapes.ts'
import { nameOfText } from '../execution/sources.ts'
import { borrowsText } from '../execution/borrowed-texts.ts'
import { withTextsAsRun } from '../execution/written-texts.ts'
import type { Fn } from './handler.ts'

/**
 * Functions that are made of texts, as compilers of templates, routes and validators do it. Their text is instrumented where they are made.
 */

type Maker = new (...texts: string[]) => Fn

const makerOf = (fn: object): unknown => (Reflect.getPrototypeOf(fn) as { readonly constructor: unknown }).constructor

/** How the functions begin that each of them makes. */
const beginnings = new Map<unknown, string>([
  [Function, 'function'],
  [makerOf(async () => {}), 'async function'],
  [makerOf(function* () {}), 'function*'],
  [makerOf(async function* () {}), 'async function*'],
])

export const makers = [...beginnings.keys()] as readonly Fn[]

/** Whether this is `Function` itself, or one of those that make other kinds of functions. */
export const isMaker = (fn: unknown): fn is Maker => beginnings.has(fn)

let instrument: InstrumentText = () => undefined

/** Texts are instrumented by this from now on. */
export function instrumentTextsBy(by: InstrumentText): void {
  instrument = by
}

const { eval: nativeEval } = globalThis

/** By the script: what makes the function, undefined where that stays as it is. */
const known = new Map<string, (() => Fn) | undefined>()

/** Scripts that are instrumented, at most: one that is written for each of many values is not worth it. */
const most = 2000

/** `new Function(...texts)`: what the platform makes, but for its text, which is instrumented where that can be done. */
export function makeFunction(maker: Maker, args: readonly unknown[], site: SiteId): Fn {
  const texts = args.map((arg) => `${arg as string}`)
  // Whatever is wrong with the texts it says.
  const made = Reflect.construct(maker, texts)
  if (areKeptApart) return made
  const script = `return () => ${beginnings.get(maker)} (${texts.slice(0, -1).join(',')}\n) {\n${texts.at(-1) ?? ''}\n}`
  if (!known.has(script) && known.size < most) known.set(script, asideOf(running?.line, () => besideSteps(() => instrumented(script, site))))
  const make = known.get(script)
  return make ? borrowsText(Object.defineProperty(make(), 'name', { value: made.name, configurable: true }), made) : made
}

/** The first one loads what instruments, an add-on. */
function instrumented(script: string, site: SiteId): (() => Fn) | undefined {
  const code = instrument(script, nameOfText(site)) ?? withTextsAsRun(script)
  // On the lines that the platform says in errors.
  return code === script ? undefined : (nativeEval(`(() => {${code}\n})()`) as () => Fn)
}
