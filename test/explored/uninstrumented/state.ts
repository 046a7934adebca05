/** State of the platform's own classes, made in a file that is not instrumented: it is older than any execution. */
export const older = {
  date: new Date(1000),
  url: new URL('https://a.example/p?q=1%20x#h'),
  parameters: new URLSearchParams('a=1&b=2'),
  headers: new Headers({ a: '1', cookie: 'x' }),
  form: form(),
  expression: /a/g,
}

function form(): FormData {
  const made = new FormData()
  made.append('a', '1')
  return made
}

/** Calls of code that is not instrumented. */
export const opaque = {
  append: (parameters: URLSearchParams, name: string, value: string) => parameters.append(name, value),
  setTime: (date: Date, time: number) => date.setTime(time),
  resize: (buffer: ArrayBuffer, size: number) => buffer.resize(size),
  setHeader: (headers: Headers, name: string, value: string) => headers.set(name, value),
  setHash: (url: URL, hash: string) => {
    url.hash = hash
  },
}
