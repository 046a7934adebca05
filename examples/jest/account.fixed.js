exports.Account = class Account {
  constructor(balance) {
    this.balance = balance
  }

  async withdraw(amount) {
    if (this.balance < amount) return 0
    this.balance -= amount
    await this.audit(amount)
    return amount
  }

  async audit(amount) {}
}
