/** An account that withdraws only with the bank's approval. */
exports.Account = class Account {
  constructor(balance) {
    this.balance = balance
  }

  async withdraw(amount) {
    const balance = this.balance
    if (balance < amount || !(await approve(amount))) return 0
    this.balance = balance - amount
    return amount
  }
}

/** Stands for a call to the bank. */
async function approve(amount) {
  return amount > 0
}
