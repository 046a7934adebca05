interface Told {
  readonly code?: unknown
  readonly name?: unknown
  readonly message?: unknown
}

const toldIn = (error: unknown): Told => (typeof error === 'object' && error !== null ? error : {})

/** Whether an error says that somebody else has ended a connection: not who uses it. */
export function isOfLostConnection(error: unknown): boolean {
  const { code, name, message } = toldIn(error)
  return (typeof code === 'string' && /^(?:ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST|57P0[123])$/.test(code)) || name === 'SocketClosedUnexpectedlyError' || message === 'Connection terminated unexpectedly'
}

/** Whether it says that nobody is there who could answer, for whatever reason. */
export function isOfNoConnection(error: unknown): boolean {
  const { code, name, message } = toldIn(error)
  return (
    isOfLostConnection(error) ||
    (typeof code === 'string' && /^(?:ECONN\w+|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|CONNECTION_\w+|08\w{3})$/.test(code)) ||
    /^(?:ClientClosedError|DisconnectsClientError|MaxRetriesPerRequestError)$/.test(String(name)) ||
    /connection (?:to its server was lost|terminated|is closed|ended)|closed state/i.test(String(message))
  )
}
