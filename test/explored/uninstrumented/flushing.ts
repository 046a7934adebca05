/** Runs one action at a time, as schedulers of packages do; it is older than any execution. */
class Queue {
  isBusy = false
  readonly waiting: (() => void)[] = []

  flush(action: () => void): void {
    if (this.isBusy) return void this.waiting.push(action)
    this.isBusy = true
    action()
    this.isBusy = false
  }
}

const queue = new Queue()

class Subscription {
  readonly queue = queue
  timer: ReturnType<typeof setInterval> | undefined

  stop(): void {
    clearInterval(this.timer)
  }
}

export function every(delay: number, listener: (subscription: Subscription) => void): void {
  const subscription = new Subscription()
  subscription.timer = setInterval(queue.flush.bind(queue, () => listener(subscription)), delay)
}

/** Gets something into its hands. */
export const stop = (subscription: Subscription): void => subscription.stop()

/** Changes a list again and again, for whoever listens. */
export function twice(list: { length: number }, listener: () => void): void {
  list.length += 1
  listener()
  list.length -= 1
}

export const double = (list: { length: number }): void => {
  list.length *= 2
}
