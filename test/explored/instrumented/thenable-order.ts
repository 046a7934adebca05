import { settledIn } from '../uninstrumented/lazy.ts'

/** In which order what waits for thenables goes on, among microtasks that are counted. */
export async function order(): Promise<string> {
  const log: string[] = []
  const counts = async (): Promise<void> => {
    for (let i = 0; i < 14; i++) {
      log.push(String(i))
      await null
    }
  }
  const waits = [0, 1, 2].flatMap((microtasks) => [
    (async () => log.push(`await ${microtasks} ${String(await settledIn(microtasks, 'x'))}`))(),
    (async () => settledIn(microtasks, 'x'))().then(() => log.push(`return ${microtasks}`)),
    Promise.resolve().then(() => settledIn(microtasks, 'x')).then(() => log.push(`reaction ${microtasks}`)),
    Promise.resolve(settledIn(microtasks, settledIn(1, 'y'))).then((value) => log.push(`resolve ${microtasks} ${String(value)}`)),
    Promise.all([null, settledIn(microtasks, 'x')]).then(() => log.push(`all ${microtasks}`)),
    new Promise((resolve) => resolve(settledIn(microtasks, 'x'))).then(() => log.push(`new ${microtasks}`)),
  ])
  await Promise.all([counts(), ...waits])
  return log.join(', ')
}
