import { addOnWork } from './add-on-work.ts'
import { afterMacrotask, nativeNow } from './native.ts'
import { openNow } from './open-handles.ts'

/** Another process, of the kinds of work of the event loop. */
const processKind = 'ProcessWrap'
/** Those that end by themselves and then settle a promise. */
const requests = /Req|Wrap|Worker|Zlib|Hash|Cipher|Pbkdf|Scrypt|RandomBytes|SignJob|KeyGen/
/** Those of them that may stay for ever: what is open, and waits for others. */
const openThings = /^(?!.*Connect).*(?:TCP|Pipe|PIPE|TTY|UDP|Server|MessagePort|FSEvent|StatWatcher|Worker)/
/** Those of them that give an answer to nobody: they tell what others do. */
const passiveThings = /FSEvent|StatWatcher|Server|SERVER/
/** Those of them both ends of which may be in this process. */
const ofThisProcess = /^TCP|^MessagePort$/
/** Those of them that are over soon, unlike an open pipe or socket. */
const shortRequests = /^(?:FSReq|GetAddrInfo|GetNameInfo)/

/** Pieces of real work under way in this thread. */
export interface ActiveWork {
  /** Files, sockets, compression and the like, work of native add-ons, but no other processes. */
  readonly requests: number
  /** Those of them that may stay for ever. */
  readonly open: number
  /** Those of them that wait for what others do. */
  readonly passive: number
  /** Those of them the other ends of which cannot be seen. */
  readonly unseen: number
  /** Other processes that run. */
  readonly processes: number
  /** Timers that are not virtual: of the test runner, and of code that took `setTimeout` before it was replaced. */
  readonly timers: number
}

/** What was there before the first execution. */
export interface Baseline extends ActiveWork {
  /** What was open. */
  readonly older: WeakSet<object>
  /** Something is open to which the program may listen. */
  readonly hasOlder: boolean
  /** Whether an answer has not come in an execution so far that might have: at all, or from where nothing tells whether it works while something else could go on. */
  readonly hope: { isVain: boolean; isVainOfUnseen: boolean }
}

function activeResources(): readonly string[] {
  return globalThis.process?.getActiveResourcesInfo?.() ?? []
}

function hasShortRequests(): boolean {
  return activeResources().some((kind) => shortRequests.test(kind))
}

export function activeWork(): ActiveWork {
  const list = activeResources()
  const open = list.filter((kind) => openThings.test(kind))
  const aside = { open: 0, timers: 0 }
  for (const count of setAside) {
    const counted = count()
    aside.open += counted.open
    aside.timers += counted.timers
  }
  return {
    requests: list.filter((kind) => kind !== processKind && (requests.test(kind) || openThings.test(kind))).length - aside.open + addOnWork(),
    open: open.length - aside.open,
    passive: open.filter((kind) => passiveThings.test(kind)).length,
    unseen: open.filter((kind) => !ofThisProcess.test(kind)).length,
    processes: list.filter((kind) => kind === processKind).length,
    timers: list.filter((kind) => kind === 'Timeout').length - aside.timers,
  }
}

const setAside: (() => Pick<ActiveWork, 'open' | 'timers'>)[] = []

/** What is open for drivers, which wait for their answers themselves, is nothing that a body may wait for. */
export function isSetAside(count: () => Pick<ActiveWork, 'open' | 'timers'>): void {
  setAside.push(count)
}

/** Whether there is work under way that ends by itself. */
function hasWork(): boolean {
  const { requests: all, open } = activeWork()
  return all > open
}

/** Longest wait for the test runner's own requests to end. Milliseconds. */
const longestQuiet = 200

/**
 * What is under way when nothing of the exploration is: taken once the test runner's own requests have ended.
 *
 * @param hasOlder whether something is open to which the program may listen
 */
export async function quietWork(hasOlder: () => boolean): Promise<Baseline> {
  const end = nativeNow() + longestQuiet
  // What has just ended is gone a turn later.
  for (let turns = 0; turns < 2 && hasWork(); turns++) await new Promise<void>(afterMacrotask)
  while (hasShortRequests() && nativeNow() < end) await new Promise<void>(afterMacrotask)
  return { ...activeWork(), older: openNow(), hasOlder: hasOlder(), hope: { isVain: false, isVainOfUnseen: false } }
}
