/** With `dpor: true`, once Jest's own functions are there: explores the ordinary tests of a test file. */
import { expect } from '@jest/globals'
import { installed } from './installed.ts'

installed().exploreOrdinaryTests(expect)
