import type { AlgorithmName } from '../../src/engine/index.ts'
import type { Use } from './stand-in.ts'

/** What is expected of an algorithm besides that it finds every class, and that `estimate` is exact in the end. */
export interface Expected {
  readonly name: AlgorithmName
  /** Of which it takes one execution each. */
  readonly explores: 'classes' | 'interleavings'
  /** Whether it gives executions up on programs whose steps have one access each. */
  readonly blocks: boolean
  readonly atomic: 'explored' | 'refused'
  /** What it does not take besides. */
  readonly refuses?: readonly Use[]
}

/** Every litmus program is explored by each of these. */
export const algorithms: readonly Expected[] = [
  { name: 'source', explores: 'classes', blocks: true, atomic: 'explored' },
  { name: 'optimal', explores: 'classes', blocks: false, atomic: 'explored' },
  { name: 'pop', explores: 'classes', blocks: false, atomic: 'refused' },
  { name: 'trust', explores: 'classes', blocks: false, atomic: 'refused', refuses: ['combine', 'delay'] },
  { name: 'naive', explores: 'interleavings', blocks: false, atomic: 'explored' },
]
