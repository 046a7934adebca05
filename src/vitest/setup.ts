/** Runs first in every test worker: instrumented files need their runtime before they load. */
import { install } from '../runtime/index.ts'
import { knowTools } from './tools.ts'
import { exploreIfAsked } from './ordinary/wanted.ts'

install()
knowTools()
exploreIfAsked()
