/** An account that withdraws only with the bank's approval. */
export class Account {
  constructor(balance) {
    this.balance = balance
  }

  async withdraw(amount) {
    if (!(await approve(amount))) return 0
    // Check and write without an await between them.
    if (this.balance < amount) return 0
    this.balance -= amount
    return amount
  }
}

/** Stands for a call to the bank. */
async function approve(amount) {
  return amount > 0
}
