import { expect, test } from 'vitest'
import { parse } from '../../plugin/1-parse/parse.ts'
import { assignedNames } from '../../plugin/2-analyse/assigned.ts'

const names = (source: string): string[] => assignedNames(parse(source, 'file.ts')!.program).toSorted()

test('names of properties that are assigned, in whatever way', () => {
  expect(names('o.a = 1; o.b += 1; o.c++; delete o.d; o["e"] ??= 1; (o as any).f = 1')).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(names('[o.a, ...o.b] = list; ({ x: o.c, y: { z: o.d = 1 } } = o); for (o.e of list) ; for (o.f in list) ;')).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(names('class C { #n = 0; add() { this.#n++ } }')).toEqual(['#n'])
})

test('but for what is computed, read, defined, or given by a constructor', () => {
  expect(names('o[key] = 1; const v = o.a; const made = { b: 1 }; class C { c = 1; constructor() { this.d = o.e; this.f = 1 } }')).toEqual([])
})

test('a constructor may as well change what is there, or hand it on', () => {
  expect(names('class C { constructor(o) { this.a++; o.b = 1; later(() => { this.c = 1 }) } }')).toEqual(['a', 'b', 'c'])
})
