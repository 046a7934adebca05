import { definitionOf } from './definition.ts'
import { DporTestInPasses, takesPasses } from './dpor-test-in-passes.ts'
import { fileIsOver } from './file-ends.ts'
import { exploringOrdinaryTests } from './ordinary/wanted.ts'
import { repeatTests } from './passes/runner.ts'
import type { RunnerSuite, RunnerTest } from './passes/runner-test.ts'

/** From now on tests of this worker are explored that are to be. */
export function exploreTests(): void {
  const ordinary = exploringOrdinaryTests()
  repeatTests({
    async judgeOf(test, annotate) {
      const definition = definitionOf(test)
      if (!definition) return ordinary?.judgeOf(test, annotate)
      return takesPasses(test, definition) ? new DporTestInPasses(test, definition, annotate) : undefined
    },
    asItIs: (test, run) => (ordinary ? ordinary.asItIs(test, run) : run()),
    runsTwice: ordinary?.runsTwice ?? false,
    inOrder: (tests) => ordinary?.inOrder(tests) ?? tests,
    runsAlone: (task) => ordinary !== undefined || explores(task),
    fileBegins: (file, tests) => ordinary?.fileBegins(file, tests),
    fileEnds() {
      ordinary?.fileEnds()
      fileIsOver()
    },
  })
}

const explores = (task: RunnerSuite | RunnerTest): boolean => ('tasks' in task ? task.tasks.some(explores) : definitionOf(task) !== undefined)
