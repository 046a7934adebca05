import type { Reporter, TestModule } from 'vitest/node'

/** Of a run that is there for its coverage, after one that has told of the tests: says only what of them keeps that from being taken. */
export default class CoverageReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => [...module.children.allTests('failed')].map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`))
    const unread = modules.filter((module) => module.errors().length > 0).map(({ relativeModuleId }) => relativeModuleId)
    if (failed.length + unread.length > 0) console.error(`vitest-dpor: in the run without --dpor that takes coverage fail: ${[...unread, ...failed].join(', ')}`)
  }
}
