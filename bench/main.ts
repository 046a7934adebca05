import { benchAsync } from './async.ts'
import { benchEngine } from './engine.ts'
import { benchLarge } from './large.ts'

const [what, name] = process.argv.slice(2)
if (what === 'large') benchLarge(name)
else {
  benchEngine()
  await benchAsync()
}
