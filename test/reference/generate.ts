import { askingLoop } from './asking-loops.ts'
import { Random } from './random.ts'
import { changeOf, lookAt, sharedThings, type SharedThing } from './shared-things.ts'

/** A random body: parts that can be left out one by one. */
export interface RandomBody {
  readonly makes: readonly string[]
  /** What is done before the tasks begin. */
  readonly before: readonly string[]
  /** The statements of each task. */
  readonly tasks: readonly (readonly string[])[]
  /** What is looked at when all tasks have ended. */
  readonly ends: readonly string[]
}

export interface GenerateOptions {
  readonly seed: number
  /** Names of what can be shared; default: all of it. */
  readonly things?: readonly string[] | undefined
  /** Tasks wait in loops that ask again and again. */
  readonly asks?: boolean | undefined
  /** Much is done with the things before the tasks begin, in steps of its own. */
  readonly prepares?: boolean | undefined
  /** Tasks use `queueMicrotask`, beside all that gets into the queue behind it. */
  readonly microtasks?: boolean | undefined
}

/** What can be looked at again and again: a look changes nothing, and tells all. */
const askable = ['variable', 'text', 'object', 'array', 'map', 'set', 'parameters', 'accessor', 'instance', 'bytes']

/** A small random body of two or three tasks over one to three shared things. */
export function generate({ seed, asks = false, prepares = false, microtasks = false, things: names = asks ? askable : Object.keys(sharedThings) }: GenerateOptions): RandomBody {
  const random = new Random(seed)
  const things = Array.from({ length: 1 + random.below(3) }, (_, i) => ({ thing: sharedThings[random.one(names)]!, name: 'xyz'[i]! }))
  const count = random.percent(60) ? 2 : 3
  const text = (write: (thing: SharedThing) => string): string => {
    const { thing, name } = random.one(things)
    return named(write(thing), name, random)
  }
  const before = prepares ? Array.from({ length: 1 + random.below(6) }, () => preparing({ text, random })) : []
  const tasks = Array.from({ length: count }, (_, task) =>
    Array.from({ length: 1 + random.below(count === 2 ? 3 : 2) }, () => {
      if (asks && random.percent(task === 0 ? 70 : 30)) return asking({ text, random, task, count })
      return (microtasks && random.percent(70) ? queueing : statement)({ text, random, task, count })
    }),
  )
  const ends = Array.from({ length: random.below(3) }, () => text((thing) => lookAt(thing, random)))
  return { makes: things.map(({ thing, name }) => named(thing.make, name, random)), before, tasks, ends }
}

/** Puts a name, numbers and keys in the places of the marks. */
function named(text: string, name: string, random: Random): string {
  return text
    .replaceAll('~', name)
    .replaceAll('%', () => String(1 + random.below(3)))
    .replaceAll('@', () => random.one(['a', 'b', 'c']))
}

interface Surroundings {
  readonly text: (write: (thing: SharedThing) => string) => string
  readonly random: Random
  readonly task: number
  readonly count: number
}

/** A statement that one line of control alone comes to, most often in the step of the one before it. */
function preparing({ text, random }: Pick<Surroundings, 'text' | 'random'>): string {
  const wait = random.percent(40) ? random.one(['await null; ', 'await nothing(); ', 'await new Promise((resolve) => setTimeout(resolve, 1)); ']) : ''
  return wait + (random.percent(70) ? text((thing) => changeOf(thing, random)) : `got.push(${text((thing) => lookAt(thing, random))})`)
}

/** One statement of a task, most often after an await. */
function statement({ text, random, task, count }: Surroundings): string {
  const change = (): string => text((thing) => changeOf(thing, random))
  const look = (): string => text((thing) => lookAt(thing, random))
  const wait = random.one(['await null', 'await null', 'await null', 'await Promise.resolve()', 'await nothing()', 'await new Promise((resolve) => setTimeout(resolve, 1))'])
  switch (random.below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return `${wait}; ${change()}`
    case 5:
    case 6:
    case 7:
    case 8:
      return `${wait}; got.push(${look()})`
    case 9:
      return `${wait}; if (${look()}) { ${change()} } else { ${change()} }`
    case 10:
      return `const read = ${look()}; ${wait}; if (JSON.stringify(read) === JSON.stringify(${look()})) { ${change()} }`
    case 11:
      return `${wait}; ${change()}; ${change()}`
    case 12:
      return `${change()}; ${wait}; got.push(${look()})`
    case 13:
      return `await Promise.resolve().then(${asyncIfNeeded(change())})`
    case 14:
      return task > 0 ? `await Promise.${random.one(['all', 'allSettled'])}([tasks[${random.below(task)}], (async () => { ${wait}; ${change()} })()])` : `${wait}; ${change()}`
    default:
      return count === 2 ? `try { ${wait}; ${change()}; if (${look()}) throw ${random.below(3)} } catch (error) { got.push(error); ${change()} }` : `${wait}; got.push(${look()})`
  }
}

/** A statement that waits for others in a loop. */
function asking({ text, random }: Surroundings): string {
  const change = (): string => text((thing) => changeOf(thing, random))
  const one = (): string => text((thing) => random.one(thing.looks.filter((look) => !look.includes('delete'))))
  const look = `JSON.stringify([${one()}${random.percent(30) ? `, ${one()}` : ''}])`
  const takesTime = random.percent(15)
  const wait = takesTime ? 'await new Promise((resolve) => setTimeout(resolve, 1))' : random.one(['await null', 'await null', 'await Promise.resolve()', 'await nothing()', 'await null; await nothing()', 'await new Promise((resolve) => setImmediate(resolve))', 'await new Promise((resolve) => queueMicrotask(resolve))'])
  switch (random.below(7)) {
    case 0:
    case 1:
    case 2:
      return `const first = ${look}; ${askingLoop(`${look} === first`, { wait, takesTime })}; got.push(${look})`
    case 3:
      return `${askingLoop(`${look} === ${JSON.stringify(JSON.stringify([random.below(3)]))}`, { wait, takesTime })}; ${change()}`
    case 4:
      return `const first = ${look}; let asked = 0; while (${look} === first && asked < 2) { asked++; ${wait} } got.push(asked)`
    case 5:
      return `const first = ${look}; for (let i = 0; i < 2 && ${look} === first; i++) { ${wait} } ${change()}`
    default:
      return `const first = ${look}; for (let i = 0; i < 2; i++) { ${wait}; if (${look} !== first) break; ${change()} }`
  }
}

/** A statement that puts something into the queue of microtasks, or lets something get there. */
function queueing({ text, random, task }: Surroundings): string {
  const change = (): string => asyncIfNeeded(text((thing) => changeOf(thing, random)))
  const look = (): string => text((thing) => lookAt(thing, random))
  const queue = random.percent(60) ? `queueMicrotask(${change()}); ` : ''
  switch (random.below(8)) {
    case 0:
      return `queueMicrotask(${change()})`
    case 1:
      return `${queue}await ${random.one(['null', 'nothing()', 'Promise.resolve()'])}; got.push(${look()})`
    case 2:
      return `const done = ${random.one(['nothing()', 'Promise.resolve()', `gates[${task}].promise`])}.then(${change()}); ${queue}gates[${task}].resolve(); await done`
    case 3:
      return `${queue}gates[${random.below(task + 1)}].resolve()`
    case 4:
      return `${queue}gates[${task}].resolve(gates[${random.below(task + 1)}].promise); ${queue}got.push(${look()})`
    case 5:
      return `const done = gates[${random.below(task + 1)}].promise.then(${change()}); got.push(${look()}); ${queue}if (${random.percent(30)}) await done`
    case 6:
      return `${queue}await { then: (go) => { ${queue}go() } }; got.push(${look()})`
    default:
      return `await null; ${queue}got.push(${look()})`
  }
}

function asyncIfNeeded(code: string): string {
  return `${code.includes('await') ? 'async ' : ''}() => { ${code} }`
}

/** The statements of the body. */
export function print({ makes, before, tasks, ends }: RandomBody): string {
  const lines = tasks.map((statements, i) => `tasks[${i}] = (async () => { const got = []; ${statements.map((text) => `{ ${separated(text)} }`).join(' ')} return got })()`)
  const usesGates = lines.some((line) => line.includes('gates['))
  return `const nothing = async () => {}
const tasks = []
${usesGates ? `const gates = [0, 1, 2].map(() => { const gate = {}; gate.promise = new Promise((resolve) => { gate.resolve = resolve }); return gate })\n` : ''}${makes.join('\n')}
${before.length > 0 ? `const got = []\n${before.map((text) => `{ ${separated(text)} }`).join('\n')}\n` : ''}${lines.join('\n')}
const all = await Promise.all(tasks)
return [all${before.length > 0 ? ', got' : ''}${ends.map((end) => `, ${end}`).join('')}]`
}

/** Statements that begin with a bracket need a semicolon before. */
function separated(text: string): string {
  return text.replaceAll(/(^|[;{}] )(?=[[(])/g, '$1;')
}
