/** The same, by code that is not instrumented. */
export const answering = (query: string): Promise<{ text: () => Promise<string> }> => Promise.resolve({ text: () => Promise.resolve(query) })

/** An answer that is there. */
export const answer = async (): Promise<string> => 'answer'
