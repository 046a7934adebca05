/** Until each that waits does so for others, as the server has it. One that is answered may let go of those that were asked for before it: all are asked for again until none of them is answered meanwhile. */
export async function settle<Waiting extends { readonly isWaiting: boolean }>(all: readonly Waiting[], { isHeldUp, pause }: { readonly isHeldUp: (one: Waiting) => Promise<boolean>; readonly pause: () => Promise<void> }): Promise<void> {
  const countWaiting = (): number => all.filter(({ isWaiting }) => isWaiting).length
  for (let before = -1; countWaiting() !== before; ) {
    before = countWaiting()
    for (const one of all) while (one.isWaiting && !(await isHeldUp(one))) await pause()
  }
}
