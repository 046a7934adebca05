/** What a module keeps for itself, made while it is loaded. */
const known = new Map<string, number>()
const order: string[] = []
let asked = 0

/** Looks and registers in one step, or in two. */
export async function register(name: string, { inTwo }: { inTwo: boolean }): Promise<boolean> {
  asked++
  const isNew = !known.has(name)
  if (inTwo) await null
  if (isNew) known.set(name, (known.get(name) ?? 0) + 1)
  if (isNew) order.push(name)
  return isNew
}

export const registered = (): readonly unknown[] => [known.get('a'), order.length, asked]
