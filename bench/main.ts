import { benchAsync } from './async.ts'
import { benchEngine } from './engine.ts'

benchEngine()
await benchAsync()
