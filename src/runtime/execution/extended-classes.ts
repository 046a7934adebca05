import { Object, Reflect } from '../../engine/intrinsics.ts'

interface Class {
  readonly prototype: object
}

/** The prototype of a class of the platform: the one that has this member. A test environment may have put a class that extends it in its place. */
export function platformPrototype(type: Class | undefined, member: string): object | undefined {
  for (let holder: object | null = type?.prototype ?? null; holder !== null; holder = Reflect.getPrototypeOf(holder)) if (Object.hasOwn(holder, member)) return holder
  return undefined
}
