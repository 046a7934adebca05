/** As core-js puts it in the place of what the platform has. */
export const polyfills = {
  push(this: unknown[], ...items: unknown[]): number {
    for (const item of items) this[this.length] = item
    return this.length
  },
}
