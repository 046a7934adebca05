// Runs the source of the worker: Node 20 does not give a loader from the command line to its threads.
import { register } from 'tsx/esm/api'

register()
await import('../../../src/engine/parts/parallel-worker.ts')
