import type { InputCall, InputRecording } from './input.ts'
import { isOfPackage } from './places.ts'

/** Whose work a process does, to a reader: what a package does for a call of the user's own code is that call's. */
export class Requests {
  readonly #calls: readonly InputCall[]
  readonly #callOf: readonly (number | undefined)[]

  constructor({ calls = [], callOf = [] }: Pick<InputRecording, 'calls' | 'callOf'>) {
    this.#calls = calls
    this.#callOf = callOf
  }

  /** The process of the innermost call that the user's own code is of, or has made. Itself, where none is known. */
  of(process: number): number {
    // Of what came by JSON, null stands for undefined.
    for (let call = this.#callOf[process]; call !== undefined && call !== null; call = this.#calls[call]!.caller) {
      const found = this.#isUsers(this.#calls[call]!) ? this.#callOf.indexOf(call) : -1
      if (found >= 0) return found
    }
    return process
  }

  /** The same for all of those; each its own, where two of them that race are of one call. */
  ofAll(racing: readonly number[]): (process: number) => number {
    const isClear = new Set(racing.map((process) => this.of(process))).size === new Set(racing).size
    return isClear ? (process) => this.of(process) : (process) => process
  }

  #isUsers({ code, place }: InputCall): boolean {
    return code === undefined || !isOfPackage(code) || (place !== undefined && !isOfPackage(place))
  }
}
