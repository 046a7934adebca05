/** One small async body, and what is known of it. */
export interface Case {
  readonly name: string
  /** The statements of an async function; what it returns it turns into JSON text. */
  readonly source: string
  /** How many outcomes it has, or which; left out where only the reference says so. */
  readonly outcomes?: number | readonly string[]
  /** The same where the orders that the language fixes are kept; left out if that is no different. */
  readonly fixedOutcomes?: readonly string[]
  /** In how many executions all of them have to be found, where that is a claim. */
  readonly executions?: number
  /** In how many they have to be found at most: calls of opaque code conflict with each other. */
  readonly atMost?: number
  /** How it can end besides: Node passes outcomes on between the steps of others, the model at the end of a step. */
  readonly overtaken?: readonly string[]
  /** What the platform has to have. */
  readonly needs?: unknown
}

export interface Sharing {
  readonly name: string
  /** Statements that declare what is shared. */
  readonly make: string
  /** A statement that changes it. */
  readonly change: string
  /** An expression that looks at it. */
  readonly look: string
  readonly needs?: unknown
}

/** One task changes, one looks: it sees the change or does not. */
export function changeAndLook({ name, make, change, look, needs }: Sharing): Case {
  const source = `${make}
let seen
const changing = async () => { await null; ${change} }
const looking = async () => { await null; seen = ${look} }
await Promise.all([changing(), looking()])
return seen`
  return { name, source, outcomes: 2, needs: needs ?? true }
}

/** Two tasks, each with an object of its own, change and look: one execution. `make` declares `o`. */
export function apart({ name, make, change, look, needs }: Sharing): Case {
  const source = `const make = () => { ${make}; return o }
const both = [make(), make()]
const task = async (o) => { await null; ${change}; await null; return ${look} }
return await Promise.all([task(both[0]), task(both[1])])`
  return { name: `${name}, apart`, source, outcomes: 1, executions: 1, needs: needs ?? true }
}

/** The same where each change and each look calls opaque code: the orders of two calls of two tasks are six. */
export function apartByOpaqueCode(sharing: Sharing): Case {
  const { name, source, outcomes } = apart(sharing)
  return { name, source, atMost: 6, ...(outcomes === undefined ? {} : { outcomes }) }
}

export interface Changes {
  readonly name: string
  readonly make: string
  /** Statements, one for each task. */
  readonly changes: readonly string[]
  /** What is returned when all tasks have ended. */
  readonly look: string
  readonly outcomes: number | readonly string[]
  readonly executions?: number
  readonly needs?: unknown
}

/** Each task changes; the end looks. */
export function changesAndEnd({ name, make, changes, look, outcomes, executions, needs }: Changes): Case {
  const source = `${make}
await Promise.all([${changes.map((change) => `(async () => { await null; ${change} })()`).join(', ')}])
return ${look}`
  return { name, source, outcomes, needs: needs ?? true, ...(executions === undefined ? {} : { executions }) }
}
