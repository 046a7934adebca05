import { benchAsync } from './async.ts'
import { benchEngine } from './engine.ts'
import { benchFirstFailure } from './first-failure.ts'
import { benchGrowth } from './growth.ts'
import { benchKernels, measureKernels } from './kernels.ts'
import { benchLarge } from './large.ts'
import { benchStart } from './start.ts'
import { benchStatements } from './statements.ts'
import { benchTransform } from './transform.ts'

const [what, name, more] = process.argv.slice(2)
if (what === 'large') benchLarge(name)
else if (what === 'kernels') benchKernels(name)
else if (what === 'start') benchStart(name)
else if (what === 'async') await benchAsync()
else if (what === 'first-failure') benchFirstFailure(name)
else if (what === 'growth') await benchGrowth()
else if (what === 'transform') await benchTransform()
else if (what === 'statements') await benchStatements()
else if (what === 'kernels-in') await measureKernels(name!, more!)
else {
  benchKernels()
  benchEngine()
  await benchAsync()
  await benchGrowth()
  await benchTransform()
  benchStart()
}
