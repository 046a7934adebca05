import { Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'

/** The functions by which Vitest or Jest makes mocks. */
export interface MockMakers {
  readonly fn: () => object
  readonly spyOn: (object: object, key: string) => object
}

/** The texts of functions that the library makes for `mockReturnValue(1)` and its like: they answer, and do nothing else. */
const answering = new Set<string>()
/** Those of what Jest has a spy do as long as it is told nothing else: call what it stands for. */
const passing = new Set<string>()

const answers = ['mockReturnThis', 'mockReturnValue', 'mockThrow', 'mockResolvedValue', 'mockRejectedValue'].flatMap((name) => [name, `${name}Once`])

/** Looks at mocks of its own: nothing else says of a function that it is one of the library's. */
export function knowMockLibrary({ fn, spyOn }: MockMakers): void {
  const mock = fn()
  const learn = (made: unknown): object => {
    addText(answering, made)
    return mock
  }
  Object.assign(mock, { mockImplementation: learn, mockImplementationOnce: learn })
  for (const name of answers) {
    const answer: unknown = Reflect.get(mock, name)
    if (typeof answer === 'function') Reflect.apply(answer, mock, [undefined])
  }
  const spy = spyOn({ method: () => {} }, 'method')
  const implementation: unknown = Reflect.get(spy, 'getMockImplementation')
  if (typeof implementation === 'function') addText(passing, Reflect.apply(implementation, spy, []))
}

function addText(texts: Set<string>, made: unknown): void {
  if (typeof made === 'function') texts.add(textOfFunction(made))
}

const isIn = (texts: Set<string>, fn: unknown): boolean => texts.size > 0 && typeof fn === 'function' && texts.has(textOfFunction(fn))

/** What the library has made for a value that it was given. */
export const isOfLibrary = (fn: unknown): boolean => isIn(answering, fn)

/** What calls the function in whose place a spy stands. */
export const isPassingOn = (fn: unknown): boolean => isIn(passing, fn)
