/** Code under test with a race: of two refreshes that overlap the one whose answer comes last decides. */
export const cache = `
export class Cache {
  readonly values = new Map<string, string>()
  constructor(private readonly load: (key: string) => Promise<string>) {}
  async refresh(key: string): Promise<void> {
    const value = await this.load(key)
    this.values.set(key, value)
  }
}
`
