import { apart, changeAndLook, changesAndEnd, type Case } from './case.ts'

const dates: readonly Case[] = [
  ...['o.getTime()', 'o.valueOf()', '+o', 'o - 0', 'o > 1', 'Number(o)', 'o.toISOString()', 'o.toJSON()', 'JSON.stringify(o)', '`${o}`', `o + ''`, 'String(o)', 'o.getUTCMilliseconds()', 'o.toString()', 'o.toUTCString()', 'new Date(o).getTime()', 'structuredClone(o).getTime()', 'Math.max(o, 0)', 'o <= new Date(0)', '[o].map(Number)', 'o[Symbol.toPrimitive](\'number\')', 'new Intl.DateTimeFormat(\'en\', { fractionalSecondDigits: 3, second: \'numeric\' }).format(o)', 'opaque.describe(o)'].map((look) =>
    changeAndLook({ name: `${look} while Date.setTime`, make: 'const o = new Date(0)', change: 'o.setTime(1005)', look }),
  ),
  ...['o.setTime(5)', 'o.setMilliseconds(5)', 'o.setUTCFullYear(2000)', 'o.setHours(7, 1)', 'o.setMinutes(3)', 'o.setMonth(5)', 'o.setDate(9)'].map((change) => changeAndLook({ name: `${change} while Date.getTime`, make: 'const o = new Date(0)', change, look: 'o.getTime()' })),
  apart({ name: 'Date', make: 'const o = new Date(0)', change: 'o.setTime(5)', look: '`${+o}`' }),
]

const expressions: readonly Case[] = [
  ...[`o.exec('aa')`, `o.test('aa')`, 'o.lastIndex = 1', `'aa'.match(o)`, `'aa'.replace(o, 'b')`, `Reflect.set(o, 'lastIndex', 1)`, `o[Symbol.replace]('a', 'b')`].map((change) =>
    changeAndLook({ name: `${change} while lastIndex`, make: `const o = /a/${change.includes('match') || change.includes('eplace') ? 'y' : 'g'}`, change, look: 'o.lastIndex' }),
  ),
  ...[`o.test('aa')`, `o.exec('aa')?.index ?? -1`, `'aa'.replace(o, 'b')`, `'aa'.match(o)?.index ?? -1`, `[...'aa'.matchAll(o)].length`, `'aa'.search(o) + o.lastIndex`, `'ab'.split(o).length + o.lastIndex`].map((look) => {
    const flags = look.includes('match(') || look.includes('replace(') ? 'y' : 'g'
    // What `search` and `split` answer does not depend on lastIndex, which they leave alone: only the property does.
    return changeAndLook({ name: `${look} while lastIndex = 2`, make: `const o = /a/${flags}`, change: 'o.lastIndex = 2', look })
  }),
  apart({ name: 'RegExp', make: 'const o = /a/g', change: `o.test('aa')`, look: 'o.lastIndex' }),
  {
    name: 'a RegExp without a flag has no state',
    source: `const o = /a/
const task = async (text) => { await null; const found = o.test(text); await null; return found && text.replace(o, 'b') }
return await Promise.all([task('a'), task('xa')])`,
    outcomes: 1,
    executions: 1,
  },
]

const web: readonly Case[] = [
  ...['o.href', 'o.toString()', 'String(o)', '`${o}`', 'o.search', 'o.searchParams.get(\'k\')', 'o.searchParams.size', 'JSON.stringify(o)', '[...o.searchParams]', 'o.toJSON()'].map((look) =>
    changeAndLook({ name: `${look} while url.searchParams.set`, make: `const o = new URL('http://a/b')`, change: `o.searchParams.set('k', '1')`, look }),
  ),
  ...[`o.pathname = '/c'`, `o.hash = 'x'`, `o.host = 'c'`, `o.search = '?k=1'`, `o.port = '8080'`, `o.protocol = 'https:'`, `o.username = 'u'`, `o.href = 'http://c/'`, `o.searchParams.append('k', '1')`].map((change) =>
    changeAndLook({ name: `${change} while url.href`, make: `const o = new URL('http://a/b')`, change, look: 'o.href' }),
  ),
  ...['o.get(\'k\')', 'o.getAll(\'k\')', 'o.has(\'k\')', 'o.size', 'o.toString()', '[...o]', '[...o.keys()]', '[...o.values()]', '[...o.entries()]', '(() => { let n = 0; o.forEach(() => n++); return n })()', '`${o}`', 'new URLSearchParams(o).size', 'Object.fromEntries(o)'].map((look) =>
    changeAndLook({ name: `${look} while URLSearchParams.append`, make: 'const o = new URLSearchParams()', change: `o.append('k', '1')`, look }),
  ),
  ...[`o.set('k', '2')`, `o.delete('k')`, 'o.sort()'].map((change) => changeAndLook({ name: `${change} while the parameters are looked at`, make: `const o = new URLSearchParams('k=1&a=1')`, change, look: 'o.toString()' })),
  ...['o.get(\'k\')', 'o.has(\'k\')', '[...o]', '[...o.keys()]', '[...o.values()]', '(() => { let n = 0; o.forEach(() => n++); return n })()', 'Object.fromEntries(o)', 'new Headers(o).get(\'k\')'].map((look) =>
    changeAndLook({ name: `${look} while Headers.set`, make: 'const o = new Headers()', change: `o.set('k', '1')`, look }),
  ),
  ...[`o.append('k', '2')`, `o.delete('k')`].map((change) => changeAndLook({ name: `${change} while Headers.get`, make: `const o = new Headers({ k: '1' })`, change, look: `o.get('k')` })),
  ...['o.get(\'k\')', 'o.getAll(\'k\')', 'o.has(\'k\')', '[...o]', '[...o.keys()]'].map((look) => changeAndLook({ name: `${look} while FormData.append`, make: 'const o = new FormData()', change: `o.append('k', '1')`, look })),
  ...[`o.set('k', '2')`, `o.delete('k')`].map((change) => changeAndLook({ name: `${change} while FormData.get`, make: `const o = new FormData(); o.append('k', '1')`, change, look: `o.get('k')` })),
  changeAndLook({ name: 'TextDecoder in the middle of a character', make: 'const o = new TextDecoder()', change: 'o.decode(new Uint8Array([0xe2, 0x82]), { stream: true })', look: `o.decode(new Uint8Array([0xac]), { stream: true })` }),
  changeAndLook({ name: 'Event.preventDefault while defaultPrevented', make: `const o = new Event('k', { cancelable: true })`, change: 'o.preventDefault()', look: 'o.defaultPrevented' }),
  changeAndLook({ name: 'request.headers of a Request', make: `const o = new Request('http://a/')`, change: `o.headers.set('k', '1')`, look: `o.headers.get('k')` }),
  changeAndLook({ name: 'Response.bodyUsed while it is read', make: `const o = new Response('x')`, change: 'o.text().catch(() => {})', look: 'o.bodyUsed' }),
  ...[
    { type: 'URL', init: `'http://a/'`, change: `o.searchParams.set('k', '1')`, look: 'o.href' },
    { type: 'URLSearchParams', init: '', change: `o.set('k', '1')`, look: 'o.toString()' },
    { type: 'Headers', init: '', change: `o.set('k', '1')`, look: '[...o]' },
    { type: 'FormData', init: '', change: `o.set('k', '1')`, look: '[...o]' },
  ].map(({ type, init, change, look }) => apart({ name: type, make: `const o = new ${type}(${init})`, change, look })),
]

const values: readonly Case[] = [
  ...['JSON.stringify(o)', 'JSON.stringify([o])', 'JSON.stringify({ deep: { o } })', 'structuredClone(o).k', 'structuredClone([o])[0].k', 'JSON.stringify(o, [\'k\'])', 'JSON.stringify(o, (key, value) => value)', 'opaque.describe(o)', 'opaque.clone(o).k', 'opaque.getProperty(o, \'k\')', 'Object.values(o).join()', '[o][0].k + 1'].map((look) =>
    changeAndLook({ name: `${look} while o.k = 1`, make: 'const o = { k: 0 }', change: 'o.k = 1', look }),
  ),
  ...['JSON.stringify(o)', '`${o}`', 'o + 1', 'o > 0', 'o == 1', '+o', '[o].join()', '({ 0: \'a\', 1: \'b\' })[o]', 'Number(o)', 'String(o)', '\'ab\'.at(o)', 'isNaN(o / o)', 'new Date(o).getTime()', 'Math.max(o, 0)', '[0, 1].indexOf(+o)', 'parseInt(o)'].map((look) =>
    changeAndLook({
      name: `${look} of an object that converts itself`,
      make: 'const state = { n: 0 }; const o = { toJSON: () => state.n, toString: () => String(state.n), valueOf: () => state.n }',
      change: 'state.n = 1',
      look,
    }),
  ),
  changeAndLook({ name: 'process.env while it is set', make: `process.env.REFERENCE_CORPUS = 'a'`, change: `process.env.REFERENCE_CORPUS = 'b'`, look: 'process.env.REFERENCE_CORPUS' }),
  changeAndLook({ name: 'process.env while it is deleted', make: `process.env.REFERENCE_CORPUS = 'a'`, change: 'delete process.env.REFERENCE_CORPUS', look: `'REFERENCE_CORPUS' in process.env` }),
  changesAndEnd({ name: 'two names of process.env', make: `process.env.REFERENCE_ONE = process.env.REFERENCE_TWO = ''`, changes: [`process.env.REFERENCE_ONE += 'a'`, `process.env.REFERENCE_TWO += 'b'`], look: 'process.env.REFERENCE_ONE + process.env.REFERENCE_TWO', outcomes: ['"ab"'], executions: 1 }),
  changesAndEnd({ name: 'process.env changed twice', make: `process.env.REFERENCE_ONE = ''`, changes: [`process.env.REFERENCE_ONE += 'a'`, `process.env.REFERENCE_ONE += 'b'`], look: 'process.env.REFERENCE_ONE', outcomes: ['"ab"', '"ba"'] }),
  changesAndEnd({ name: 'hash.update twice', make: 'const o = opaque.hash()', changes: [`o.update('a')`, `o.update('b')`], look: `o.digest('hex').slice(0, 4)`, outcomes: 2 }),
  changesAndEnd({ name: 'nodeCrypto hash.update twice', make: `const o = nodeCrypto.createHash('sha1')`, changes: [`o.update('a')`, `o.update('b')`], look: `o.digest('hex').slice(0, 4)`, outcomes: 2 }),
  changeAndLook({ name: 'Error.cause while it is set', make: `const o = new Error('k')`, change: `o.cause = 'c'`, look: 'o.cause ?? null' }),
  changeAndLook({ name: 'globalThis while it is set', make: 'globalThis.referenceCorpus = 0', change: 'globalThis.referenceCorpus = 1', look: 'globalThis.referenceCorpus' }),
]

export const platform: readonly Case[] = [...dates, ...expressions, ...web, ...values]
