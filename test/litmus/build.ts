import { program, type Operation, type Program, type ProgramBuilder, type Shared } from '../../src/engine/index.ts'

export type Steps = Generator<Operation<unknown>, void>

/** n threads, each with the same body. `build` may give an invariant too. */
export function alike(n: number, build: (builder: ProgramBuilder) => (id: number) => Steps): Program {
  return program((builder) => {
    const body = build(builder)
    for (let id = 0; id < n; id++) builder.thread(`t${id}`, () => body(id))
  })
}

/** n threads that each count x up within what `enter` and `leave` keep others out of; none of it may be lost. */
export function criticalSections(n: number, build: (builder: ProgramBuilder) => Section): Program {
  return program((builder) => {
    const { enter, leave } = build(builder)
    const x = builder.shared('x', 0)
    for (let id = 0; id < n; id++) {
      builder.thread(`t${id}`, function* () {
        yield* enter(id)
        const value = yield* x.read()
        yield* x.write(value + 1)
        yield* leave(id)
      })
    }
    return () => x.value === n
  })
}

export interface Section {
  readonly enter: (id: number) => Steps
  readonly leave: (id: number) => Steps
}

export type Variables = Readonly<Record<'w' | 'x' | 'y' | 'z', Shared<number>>>

/** Threads without branches: a list of steps each. Variables start at 0. */
export function lines(make: (variables: Variables, builder: ProgramBuilder) => readonly (readonly Operation<unknown>[])[]): Program {
  return program((builder) => {
    const { shared } = builder
    const variables = { w: shared('w', 0), x: shared('x', 0), y: shared('y', 0), z: shared('z', 0) }
    make(variables, builder).forEach((steps, id) =>
      builder.thread(`t${id}`, function* () {
        for (const step of steps) yield* step
      }),
    )
  })
}

export function array(builder: ProgramBuilder, name: string, length: number, initial = 0): Shared<number>[] {
  return Array.from({ length }, (_, i) => builder.shared(`${name}[${i}]`, initial))
}

export const increment = (value: number): number => value + 1
