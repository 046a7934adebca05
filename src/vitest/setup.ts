/** Runs first in every test worker: instrumented files need their runtime before they load. */
import { install } from '../runtime/index.ts'

install()
