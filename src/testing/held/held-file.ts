import type { Waits } from '../finding.ts'
import { digest, haveChanged, type Inputs } from './inputs.ts'

/** What a test that holds was found to be. */
export interface HeldTest {
  /** The tests that ran before it, whose state it may have found. */
  readonly before: string
  readonly waits?: Waits
}

/** The tests of one file that hold, and what that rests on. */
export interface HeldFile {
  readonly key: string
  readonly inputs: Inputs
  /** By their names, and those of the suites that they are in. */
  readonly tests: Readonly<Record<string, HeldTest>>
  /** These are all tests of the file that are not over at once. */
  readonly isWhole?: boolean
}

/** Where workers find them. */
export interface ProvidedHeld {
  readonly folder: string
  /** Stands for all that tests rest on besides files that they load: settings, versions, packages, variables. */
  readonly key: string
  /** Of the project. */
  readonly root: string
  readonly project: string
}

/**
 * Of one test file; undefined where nothing is known, or something has changed since.
 * @param isOfUse nobody looks for changes of what is of no use
 */
export function readHeld(provided: ProvidedHeld, testFile: string, isOfUse: (held: HeldFile) => boolean = () => true): HeldFile | undefined {
  try {
    const held = JSON.parse(process.getBuiltinModule('node:fs').readFileSync(placeOf(provided, testFile), 'utf8')) as HeldFile
    return held.key === provided.key && isOfUse(held) && !haveChanged(held.inputs) ? held : undefined
  } catch {
    return undefined // nothing there, or nothing that can be read
  }
}

export function writeHeld(provided: ProvidedHeld, testFile: string, held: Omit<HeldFile, 'key'>): void {
  const fs = process.getBuiltinModule('node:fs')
  fs.mkdirSync(provided.folder, { recursive: true })
  fs.writeFileSync(placeOf(provided, testFile), JSON.stringify({ key: provided.key, ...held }))
}

/** One for all ways to run a project: the last one counts. */
const placeOf = ({ folder, root, project }: ProvidedHeld, testFile: string): string => `${folder}/${digest(root, project, testFile)}.json`
