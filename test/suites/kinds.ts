/** What tests of one file share: how it is made, what a test may do to it, and what is to be seen of it. `$n` is its name, each `$k` some small number. */
export interface Kind {
  readonly made: string
  readonly changed: readonly string[]
  readonly seen: string
}

/** What can be put back after each execution, or makes an exploration leave the plain run as it was. */
export const kinds: Readonly<Record<string, Kind>> = {
  'a Map': {
    made: 'const $n = new Map([[1, 1]])',
    changed: ['$n.set($k, ($n.get($k) ?? 0) + 1)', '$n.delete($k)', '$n.has(9) || $n.set(9, {})'],
    seen: '[...$n]',
  },
  'a Set': {
    made: 'const $n = new Set()',
    changed: ['$n.add($k)', '$n.delete($k)'],
    seen: '[...$n]',
  },
  'an array': {
    made: 'const $n = [1, 2]',
    changed: ['$n.push($k)', '$n.shift()', '$n.sort((a, b) => b - a)', '$n.splice(1, 1, $k)', '$n.length > 4 && ($n.length = 2)', '$n.reverse()', '$n[6] = 1'],
    seen: '$n',
  },
  'an object': {
    made: 'const $n = { a: 1 }',
    changed: ['$n.a += $k', '$n["k" + $k] = $k', 'delete $n["k" + $k]', 'Object.assign($n, { z: $k })', 'Object.defineProperty($n, "g", { get: () => $k, enumerable: true, configurable: true })'],
    seen: '({ ...$n })',
  },
  'an instance': {
    made: `class C$n { #p = 1; static s = 0; q = []; inc() { this.#p++; C$n.s++; this.q.push(this.#p) } get p() { return this.#p } set p(v) { this.#p = v } }
const $n = new C$n()`,
    changed: ['$n.inc()', '$n.p = $k', 'C$n.s += $k', '$n.p += 1'],
    seen: '[$n.p, C$n.s, $n.q]',
  },
  'a variable': {
    made: 'let $n = 0',
    changed: ['$n++', '$n = $k', '$n += $k', '$n = [$n].flat()[0] + 1'],
    seen: '$n',
  },
  'a Date': {
    made: 'const $n = new Date(5000)',
    changed: ['$n.setSeconds($k)', '$n.setTime($k * 1000)'],
    seen: '$n.getTime()',
  },
  'parameters of a URL': {
    made: 'const $n = new URLSearchParams("a=1")',
    changed: ['$n.append("k" + $k, "1")', '$n.delete("k" + $k)', '$n.sort()'],
    seen: 'String($n)',
  },
  'a URL': {
    made: 'const $n = new URL("http://a.b/c?x=1")',
    changed: ['$n.pathname = "/p" + $k', '$n.searchParams.set("q", $k)', '$n.hash = "h" + $k'],
    seen: '$n.href',
  },
  'an EventEmitter': {
    made: 'const $n = new EventEmitter(); const l$n = []',
    changed: ['$n.on("x", (v) => l$n.push(v))', '$n.once("x", (v) => l$n.push(-v))', '$n.emit("x", $k)', '$n.removeAllListeners("x")'],
    seen: '[l$n, $n.listenerCount("x")]',
  },
  'an EventTarget': {
    made: 'const $n = new EventTarget(); const l$n = []; const h$n = (e) => l$n.push(e.type)',
    changed: ['$n.addEventListener("x", h$n)', '$n.addEventListener("x", h$n, { once: true })', '$n.dispatchEvent(new Event("x"))', '$n.removeEventListener("x", h$n)'],
    seen: 'l$n',
  },
  'an AbortController': {
    made: 'let $n = new AbortController(); const l$n = []',
    changed: ['$n.signal.addEventListener("abort", () => l$n.push("a"))', '$n.abort($k)', '$n = new AbortController()', '$n.signal.onabort = () => l$n.push("o")'],
    seen: '[$n.signal.aborted, l$n]',
  },
  'a promise': {
    made: 'const l$n = []; let r$n, $n = new Promise((r) => { r$n = r }); $n.then((v) => l$n.push(v))',
    changed: ['r$n($k); await null', '$n = new Promise((r) => { r$n = r }); void $n.then((v) => l$n.push(v))', 'void $n.then((v) => l$n.push("t" + v)); await null', 'r$n($k); l$n.push(await $n)'],
    seen: 'l$n',
  },
  'a WeakMap': {
    made: 'const o$n = [{}, {}, {}]; const $n = new WeakMap(); const ws$n = new WeakSet()',
    changed: ['$n.set(o$n[$k % 3], $k)', '$n.delete(o$n[$k % 3])', 'ws$n.add(o$n[$k % 3])', 'o$n[$k % 3] = {}'],
    seen: '[o$n.map((o) => $n.get(o) ?? 0), o$n.map((o) => ws$n.has(o))]',
  },
  'a typed array': {
    made: 'const $n = new Uint16Array(4); const dv$n = new DataView($n.buffer)',
    changed: ['$n[$k % 4] = $k', '$n.fill($k, 1, 3)', 'dv$n.setInt8($k % 8, $k)', '$n.set([$k, $k], 1)', '$n.reverse()'],
    seen: '[...$n]',
  },
  'a Buffer': {
    made: 'const $n = Buffer.alloc(8)',
    changed: ['$n.write("x" + $k, $k % 5)', '$n.fill($k, 2, 4)', '$n.writeUInt16BE($k, 1)', '$n.swap16()'],
    seen: '$n.toString("hex")',
  },
  'a Proxy': {
    made: 'const t$n = { n: 0 }; const l$n = []; const $n = new Proxy(t$n, { get: (t, k) => { l$n.push(String(k)); return t[k] }, set: (t, k, v) => { t[k] = v * 2; return true } })',
    changed: ['$n.n = $k', '$n.n++', 'l$n.push($n.n)', '"n" in $n'],
    seen: '[{ ...t$n }, l$n]',
  },
  'a regular expression': {
    made: 'const $n = /a(.)/g; const l$n = []',
    changed: ['l$n.push($n.exec("a1a2a3a4")?.[1] ?? null)', 'l$n.push($n.test("a1a2"))', '$n.lastIndex = $k'],
    seen: '[l$n, $n.lastIndex]',
  },
  'a stream': {
    made: 'let $n = new PassThrough({ objectMode: true }); const l$n = []; $n.on("data", (v) => l$n.push(v))',
    changed: ['$n.write($k); await null', '$n.pause()', '$n.resume(); await new Promise((r) => setImmediate(r))', '$n.write($k); await new Promise((r) => setTimeout(r, 1))', '$n.end(); await new Promise((r) => setTimeout(r, 1)); $n = new PassThrough({ objectMode: true }); $n.on("data", (v) => l$n.push(v))'],
    seen: '[l$n, $n.isPaused()]',
  },
  'headers': {
    made: 'const $n = new Headers({ a: "1" })',
    changed: ['$n.append("a", String($k))', '$n.set("k" + $k, "1")', '$n.delete("k" + $k)'],
    seen: '[...$n]',
  },
  'a form': {
    made: 'const $n = new FormData()',
    changed: ['$n.append("a", String($k))', '$n.set("k" + $k, "1")', '$n.delete("k" + $k)'],
    seen: '[...$n]',
  },
  'a response': {
    made: 'let $n = new Response("one"); const l$n = []',
    changed: ['if (!$n.bodyUsed) l$n.push(await $n.text())', '$n = new Response("n" + $k)', 'if (!$n.bodyUsed) l$n.push(await $n.clone().text())', 'l$n.push($n.bodyUsed)'],
    seen: '[l$n, $n.bodyUsed]',
  },
  'a variable of the environment': {
    made: 'process.env.e$n = "0"',
    changed: ['process.env.e$n = String($k)', 'delete process.env.e$n', 'process.env.e$n += "x"'],
    seen: 'process.env.e$n ?? null',
  },
  'a global variable': {
    made: 'globalThis.g$n = 0',
    changed: ['globalThis.g$n++', 'g$n = $k', 'delete globalThis.g$n; globalThis.g$n = $k'],
    seen: 'globalThis.g$n',
  },
  'a mock': {
    made: 'const $n = vi.fn((x) => x + 1)',
    changed: ['$n($k)', '$n.mockReturnValueOnce($k)', '$n.mockClear()', '$n.mockImplementation((x) => x * $k)', 'await $n($k)'],
    seen: '[$n.mock.calls, $n.mock.results.map((r) => r.value)]',
  },
  'a spy': {
    made: 'const $n = { m(x) { return [x, l$n.length] } }; const l$n = []',
    changed: ['vi.spyOn($n, "m")', 'l$n.push($n.m($k))', 'vi.isMockFunction($n.m) && $n.m.mockReturnValue($k)', 'vi.isMockFunction($n.m) && $n.m.mockRestore()'],
    seen: 'l$n',
  },
  'a mock that answers': {
    made: 'const $n = vi.fn(async (x) => x + 1); const l$n = []',
    changed: ['l$n.push(await $n($k))', '$n.mockResolvedValueOnce($k)', '$n.mockRejectedValueOnce(new Error("e" + $k))', 'l$n.push(await $n($k).catch((e) => e.message))', 'await expect($n(1)).resolves.toBeDefined().catch(() => {})'],
    seen: 'l$n',
  },
  'a file': {
    made: 'const $n = path.join(tmp, "$n")',
    changed: ['fs.writeFileSync($n, "w" + $k)', 'await fs.promises.writeFile($n, "a" + $k)', 'fs.existsSync($n) && fs.unlinkSync($n)', 'await fs.promises.appendFile($n, "+")', 'fs.existsSync($n) && fs.renameSync($n, $n + "r"); fs.existsSync($n + "r") && fs.copyFileSync($n + "r", $n)', 'await fs.promises.mkdir($n + "d", { recursive: true }); await fs.promises.writeFile($n + "d/f" + $k, "x")', 'await fs.promises.rm($n + "d", { recursive: true, force: true })'],
    seen: '[fs.existsSync($n) && fs.readFileSync($n, "utf8"), fs.existsSync($n + "d") && fs.readdirSync($n + "d")]',
  },
  'a context': {
    made: 'const $n = new AsyncLocalStorage(); const l$n = []',
    changed: ['$n.run($k, () => l$n.push($n.getStore()))', 'l$n.push($n.getStore() ?? null)', 'await $n.run($k, async () => { await null; l$n.push($n.getStore()) })'],
    seen: 'l$n',
  },
  'a weak reference': {
    made: 'let o$n = { n: 0 }; const $n = new WeakRef(o$n)',
    changed: ['$n.deref().n++', 'o$n.n += $k'],
    seen: '$n.deref().n',
  },
  'a symbol': {
    made: 'const s$n = Symbol("s"); const $n = { [s$n]: 0 }',
    changed: ['$n[s$n]++', '$n[s$n] = $k'],
    seen: '$n[s$n]',
  },
  'a prototype': {
    made: 'const b$n = { v: 1, m() { return this.v } }; const $n = Object.create(b$n)',
    changed: ['b$n.v = $k', '$n.v = $k', 'delete $n.v', 'Object.setPrototypeOf($n, { m() { return "o" + this.v } })', 'Object.setPrototypeOf($n, b$n)'],
    seen: '[$n.m(), $n.v ?? null]',
  },
  'frozen objects': {
    made: 'let $n = { a: 1, deep: { b: [] } }',
    changed: ['$n = Object.freeze({ ...$n, a: $k })', '$n.deep.b.push($k)', '$n = structuredClone($n)', '$n = JSON.parse(JSON.stringify($n))', '$n = { ...$n, deep: { b: [...$n.deep.b, $k] } }'],
    seen: '$n',
  },
  'marks': {
    made: 'const $n = performance; let t$n = 0',
    changed: ['$n.mark("m$n" + $k)', '$n.clearMarks("m$n" + $k)', 't$n++'],
    seen: '[$n.getEntriesByType("mark").filter((m) => m.name.startsWith("m$n")).map((m) => m.name), t$n]',
  },
  'an error': {
    made: 'const $n = new Error("e")',
    changed: ['$n.message = "m" + $k', '$n.cause = $k', '$n.code = $k'],
    seen: '[$n.message, $n.cause ?? null, $n.code ?? null]',
  },
  'accessors': {
    made: 'const $n = []; const o$n = { get x() { $n.push("g"); return k$n }, set x(v) { $n.push(v); k$n = v } }; let k$n = 0',
    changed: ['o$n.x', 'o$n.x = $k', 'o$n.x++'],
    seen: '[$n, k$n]',
  },
  'a lock': {
    made: 'let held$n = false; const q$n = [], l$n = []; const lock$n = () => new Promise((r) => held$n ? q$n.push(r) : (held$n = true, r())); const unlock$n = () => { const n = q$n.shift(); n ? n() : held$n = false }',
    changed: ['await null; if (!held$n) { await lock$n(); l$n.push("l" + $k) }', 'unlock$n(); await null', 'void lock$n().then(() => l$n.push("w" + $k)); await null'],
    seen: '[held$n, q$n.length, l$n]',
  },
  'fake timers': {
    made: 'const l$n = []',
    changed: ['vi.useFakeTimers(); setTimeout(() => l$n.push($k), 1000); vi.advanceTimersByTime(1500); vi.useRealTimers()', 'vi.useFakeTimers({ now: $k * 1000 }); l$n.push(Date.now()); vi.useRealTimers()', 'vi.useFakeTimers(); setTimeout(() => l$n.push("a"), 1000); await vi.advanceTimersByTimeAsync(1000); vi.useRealTimers()', 'vi.stubGlobal("x$n", $k); l$n.push(x$n); vi.unstubAllGlobals()', 'vi.stubEnv("x$n", "v"); l$n.push(process.env.x$n); vi.unstubAllEnvs()'],
    seen: 'l$n',
  },
  // Not `vi.resetModules()` in the midst of a test: what it makes forget is not put back.
  'a module': {
    made: 'const l$n = []',
    changed: ['const { default: d$n } = await import("./dep.js"); l$n.push(++d$n.n)', 'const { bump: u$n } = await import("./dep.js"); l$n.push(u$n())'],
    seen: 'l$n',
  },
  'compression': {
    made: 'const l$n = []',
    changed: ['l$n.push((await new Promise((r) => zlib.deflate("x".repeat($k), (_, b) => r(b)))).length)', 'l$n.push(zlib.gunzipSync(zlib.gzipSync("y" + $k)).toString())'],
    seen: 'l$n',
  },
}
