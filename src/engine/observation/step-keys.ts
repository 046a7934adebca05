import { FewKeys } from './few-keys.ts'

/** What the step now running has done to the keys of one order location. */
export class StepKeys {
  /** Keys that it removed, whether or not it inserted them again. */
  readonly removed = new FewKeys()
  /** Keys that it inserted and left there. */
  readonly inserted = new FewKeys()

  insert(key: unknown): void {
    this.inserted.add(key)
  }

  remove(key: unknown): void {
    this.inserted.delete(key)
    this.removed.add(key)
  }
}
