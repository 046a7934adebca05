/** An account that withdraws only with the bank's approval. */
export class Account {
  constructor(public balance: number) {}

  async withdraw(amount: number): Promise<number> {
    const balance = this.balance
    if (balance < amount || !(await approve(amount))) return 0
    this.balance = balance - amount
    return amount
  }
}

/** Stands for a call to the bank. */
async function approve(amount: number): Promise<boolean> {
  return amount > 0
}
