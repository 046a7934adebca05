exports.Account = class Account {
  constructor(balance) {
    this.balance = balance
  }

  async withdraw(amount) {
    const balance = this.balance
    if (balance < amount) return 0
    await this.audit(amount)
    this.balance = balance - amount
    return amount
  }

  async audit(amount) {}
}
