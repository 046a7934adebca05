import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'

/** What stands for something that is no object: a database, the working directory. `name` is what a story calls it. */
export function namedObject({ identities, recorder }: Execution, identity: string, name: string = identity): ObjectId {
  const object = identities.named(identity)
  recorder?.owners.tell(object, () => name)
  return object
}
