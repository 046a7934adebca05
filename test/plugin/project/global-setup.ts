import type { TestProject } from 'vitest/node'

export default async function setup(project: TestProject) {
  const state = { count: 0 }
  state.count += await Promise.resolve(1)
  project.provide('count' as never, state.count as never)
}
