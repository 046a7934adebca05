/** Keeps a value behind accessors that nobody sees into. */
export class Signal<T> {
  #value: T

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set value(next: T) {
    this.#value = next
  }
}
