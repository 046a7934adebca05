import { compareOrders } from './compare.ts'

type Options = NonNullable<Parameters<typeof compareOrders>[1]>

async function differs(source: string, options: Options): Promise<boolean> {
  try {
    const [order] = await compareOrders([source], options)
    return order!.first !== undefined && order!.plain !== order!.first && !order!.plain.startsWith('error') && !order!.first.startsWith('throws')
  } catch {
    return false
  }
}

/** Leaves out lines, and parts of lines between semicolons, as long as the program still runs in another order. */
export async function minimise(source: string, options: Options): Promise<string> {
  const begin = source.indexOf('async function f0')
  const end = source.indexOf('for (let i = 0; i < 8')
  const whole = (parts: readonly string[]): string => source.slice(0, begin) + parts.join('') + source.slice(end)
  let best = source.slice(begin, end).split(/(?<=[\n;])/)
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let i = 0; i < best.length; ) {
      const shorter = [...best.slice(0, i), ...best.slice(i + size)]
      if (await differs(whole(shorter), options)) best = shorter
      else i++
    }
  }
  return whole(best)
}
