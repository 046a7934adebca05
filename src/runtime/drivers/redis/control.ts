/** An argument of a command of our own. */
export type Argument = string | number | Uint8Array

/** A connection of our own to a database. */
export interface Control {
  /** Sends all of them at once. Texts are answered as bytes. */
  ask(commands: readonly (readonly Argument[])[]): Promise<readonly unknown[]>
  readonly isOpen: boolean
}

const controls = new Map<string, Promise<Control>>()

/** The connection of our own that has this name: one that is open, or else a new one. */
export async function controlOf(name: string, open: () => Promise<Control>): Promise<Control> {
  const known = await controls.get(name)?.catch(() => undefined)
  if (known?.isOpen) return known
  const control = open()
  controls.set(name, control)
  return control
}
