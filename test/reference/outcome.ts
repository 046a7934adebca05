/** How an execution of a body ended. */
export type Ending =
  | { readonly kind: 'returned'; readonly text: unknown }
  | { readonly kind: 'deadlock' | 'livelock' }
  | { readonly kind: 'error' | 'unhandled-rejection'; readonly error: unknown }

/** One line for it: what the reference and the project are compared by. */
export function outcomeText(ending: Ending): string {
  switch (ending.kind) {
    case 'returned':
      return String(ending.text)
    case 'deadlock':
    case 'livelock':
      return ending.kind
    case 'error':
      return `throws ${String(ending.error)}`
    case 'unhandled-rejection':
      return `unhandled rejection ${String(ending.error)}`
    default:
      return ending satisfies never
  }
}
