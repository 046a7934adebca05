import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { explore, install, type Tasks } from '../../src/runtime/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

interface Subject extends Tasks {
  /** Older than every execution. */
  readonly list: unknown[]
  readonly setup: () => object
}

function load(source: string): Subject {
  const { code } = rewrite(`export default function make() {${source}}`, '/memory.js')!
  return (new Function(code.replace('export default', 'return '))() as () => Subject)()
}

test('what is known of an array that outlives executions keeps none of them alive', async () => {
  install()
  const { list, setup, tasks } = load(`
    const list = [1]
    const task = async (state) => { state.n = list.length; await null; list[0] = state.n }
    return { list, setup: () => ({ n: 0 }), tasks: [task, task] }`)
  const states: WeakRef<object>[] = []
  const remembered = (): object => {
    const state = setup()
    states.push(new WeakRef(state))
    return state
  }
  const { executions } = await explore({ setup: remembered, tasks }, { stopOnFirst: false })
  await new Promise((resolve) => setTimeout(resolve))
  collectGarbage()
  expect(executions).toBeGreaterThan(1)
  expect(list).toEqual([1])
  expect(states.filter((state) => state.deref() !== undefined)).toEqual([])
})
