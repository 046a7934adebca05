import { checkAtomic } from './atomic.ts'
import type { LocationId } from '../ids.ts'
import { lookAt } from './looking.ts'
import { Told, type Operation, type Run } from './operations.ts'

/** What can be done with a list inside `atomic`; `items` and `length` in the invariant too. */
export interface ListNow<T> {
  push(value: T): void
  pushAndCount(value: T): number
  items(): T[]
  length(): number
}

/** A list that threads share. By `equivalence: 'observation'`, pushes commute until somebody sees in what order they came. */
export class List<T> {
  readonly name: string
  readonly now: ListNow<T>
  readonly #run: Run

  constructor(run: Run, name: string, { location, initial }: { readonly location: LocationId; readonly initial: readonly T[] }) {
    this.name = name
    this.#run = run
    const items = [...initial]
    const push = (value: T, call: string): void => {
      checkAtomic(run, call)
      run.search.append(location, 0, value)
      items.push(value)
    }
    this.now = {
      push: (value) => push(value, `${name}.push()`),
      pushAndCount(value) {
        lookAt(run, location, { look: 'size', call: `${name}.pushAndCount()` })
        push(value, `${name}.pushAndCount()`)
        return items.length
      },
      items() {
        lookAt(run, location, { look: 'order', call: `${name}.items()` })
        return [...items]
      },
      length() {
        lookAt(run, location, { look: 'size', call: `${name}.length()` })
        return items.length
      },
    }
  }

  /** Puts a value at the end. */
  push(value: T): Operation<void> {
    return this.#operation('push(...)', () => this.now.push(value))
  }

  /** The same; how many there are then, which is a look at the length. */
  pushAndCount(value: T): Operation<number> {
    return this.#operation('pushAndCount(...)', () => this.now.pushAndCount(value))
  }

  /** All of it, in order. */
  items(): Operation<T[]> {
    return this.#operation('items()', () => this.now.items())
  }

  length(): Operation<number> {
    return this.#operation('length()', () => this.now.length())
  }

  #operation<Result>(call: string, body: () => Result): Operation<Result> {
    return new Told(this.#run, body, { fixed: true, label: `${this.name}.${call}` })
  }
}
