/** An account that withdraws only with the bank's approval. */
exports.Account = class Account {
  constructor(balance) {
    this.balance = balance
  }

  async withdraw(amount) {
    if (!(await approve(amount)) || this.balance < amount) return 0
    this.balance -= amount
    return amount
  }
}

/** Stands for a call to the bank. */
async function approve(amount) {
  return amount > 0
}
