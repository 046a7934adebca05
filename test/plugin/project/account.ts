export class Account {
  #log: string[] = []

  constructor(public balance: number) {}

  async withdraw(amount: number): Promise<number> {
    if (this.balance < amount) return 0
    await audit(amount)
    this.balance -= amount
    this.#log.push(`-${amount}`)
    return amount
  }

  get log(): readonly string[] {
    return this.#log
  }

  fail(reason: { code: number }): never {
    const { code } = reason
    throw new Error(`failed ${code}`)
  }
}

export const audit = async (amount: number): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, amount > 0 ? 1 : 0))
}
