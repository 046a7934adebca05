import { ProgramError } from '../errors.ts'
import { Operation, type Run, type Waiting } from './operations.ts'

/** `delay`: enabled once virtual time has come that far. Time advances when nothing else can run. */
export class Delay extends Operation<void> {
  /** The time at which it ends. */
  readonly end: number

  constructor(run: Run, duration: number) {
    super(run)
    if (!(duration >= 0 && duration < Infinity)) throw new ProgramError(`delay was given ${duration}: give a number of at least 0`)
    this.end = run.now + duration
  }

  override get label(): string {
    return 'delay(...)'
  }

  override get enabled(): boolean {
    return this.run.now >= this.end
  }

  override waiting(): Waiting {
    return { what: `time ${this.end}`, step: undefined }
  }

  protected override take(): void {}
}
