import { expect, test } from 'vitest'
import { withoutHistory } from '../../plugin/packages/debug-history.ts'

const published = `const debugCall = (...args) => {
  const { enabled } = instanceProps;
  if (args.length !== 0) {
    argsHistory.push([namespace2, ...args]);
  }
  if (argsHistory.length > MAX_ARGS_HISTORY) {
    argsHistory.shift();
  }
  if (enabled) log(args);
}`
const small = `r=(...n)=>{let{enabled:i,namespace:o}=t;if(n.length!==0&&Lt.push([o,...n]),Lt.length>Mu&&Lt.shift(),Vt.enabled(o)||i){log(n)}}`

test.each([
  ['@prisma/debug/dist/index.mjs', published, 'if (enabled) log(args)'],
  ['@prisma/client/runtime/client.js', small, 'Vt.enabled(o)||i'],
])('%s keeps no history for debugging, and what is left stands where it stood', (file, source, left) => {
  const text = withoutHistory(source, `/app/node_modules/${file}`)
  expect(text).not.toMatch(/push|shift/)
  expect(text.split('\n').map((line) => line.length)).toEqual(source.split('\n').map((line) => line.length))
  expect(text.indexOf(left)).toBe(source.indexOf(left))
  expect(() => new Function(text)).not.toThrow()
})

test.each(['/app/node_modules/other/index.js', '/app/src/debug.js'])('%s stays as it is', (file) => {
  expect(withoutHistory(published, file)).toBe(published)
})
