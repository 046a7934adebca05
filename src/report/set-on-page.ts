import type { Access } from './accesses.ts'

/** What is set on a page: `<li#first>.textContent`, and to what. */
export interface SetOnPage {
  readonly target: string
  readonly value: string
}

/** Undefined of all else that is done there, and of nodes without an id: others may be called the same. */
export function setOnPage({ doing }: Pick<Access, 'doing'>): SetOnPage | undefined {
  const [, target, value] = /^(<\w+#[^>]+>\.[\w$]+) = (.*)$/s.exec(doing ?? '') ?? []
  return target === undefined || value === undefined ? undefined : { target, value }
}

/** The one thing that both set; undefined where one of them does something else. */
export function setByBoth(first: Access, second: Access): string | undefined {
  const target = setOnPage(first)?.target
  return target === setOnPage(second)?.target ? target : undefined
}
