/**
 * A package has frozen what is older than the test, and nobody has changed anything else of it, as the first reducer of Redux Toolkit does with an initial state: nobody can undo that, and
 * later executions would find another state than the first. So everything is done once more, and every execution finds it frozen.
 */
export class FrozenFirst extends Error {}

/** That has happened in this exploration. */
export let isFrozenFirst = false

/** Returns what ends that. */
export function freezeFirst(): () => void {
  isFrozenFirst = true
  return () => {
    isFrozenFirst = false
  }
}
