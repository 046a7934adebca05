/** What replays a failure. */
export interface Replay {
  readonly schedule: string
  /** The same for the command line, where there is one. */
  readonly commandLineReplay: string | undefined
  /** Of the random numbers, where a replay has to be given it. */
  readonly seed: number | undefined
}

/** As an option of the test. @param shown the schedule as it is to look */
export function replayInTest({ schedule, seed }: Pick<Replay, 'schedule' | 'seed'>, shown = `'${schedule}'`): string {
  return `{ replay: ${shown}${seed === undefined ? '' : `, seed: ${seed}`} }`
}

/** As an option of the command line. */
export function replayByCommand({ commandLineReplay, seed }: Pick<Replay, 'commandLineReplay' | 'seed'>): string {
  return `--dpor.replay=${commandLineReplay}${seed === undefined ? '' : ` --dpor.seed=${seed}`}`
}

/** All ways there are, each as it stands. */
export function replaysOf({ isOrdinary, ...replay }: Replay & { readonly isOrdinary: boolean }): string[] {
  const inTest = `dporTest(name, ${replayInTest(replay)}, ...)`
  if (replay.commandLineReplay === undefined) return [inTest]
  return isOrdinary ? [`vitest run -- --dpor ${replayByCommand(replay)}`] : [inTest, `vitest run -- ${replayByCommand(replay)}`]
}
