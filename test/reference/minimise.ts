import type { RandomBody } from './generate.ts'

/** The smallest body that is found by leaving out one part after another as long as `isStillWrong`. */
export async function minimise(body: RandomBody, isStillWrong: (body: RandomBody) => Promise<boolean>): Promise<RandomBody> {
  let smallest = body
  let changed = true
  while (changed) {
    changed = false
    for (const smaller of withoutOnePart(smallest)) {
      if (!(await isStillWrong(smaller))) continue
      smallest = smaller
      changed = true
      break
    }
  }
  return smallest
}

function* withoutOnePart(body: RandomBody): Generator<RandomBody> {
  for (const [i] of body.makes.entries()) if (body.makes.length > 1) yield { ...body, makes: body.makes.toSpliced(i, 1) }
  for (const [i] of body.ends.entries()) yield { ...body, ends: body.ends.toSpliced(i, 1) }
  for (const [i] of body.before.entries()) yield { ...body, before: body.before.toSpliced(i, 1) }
  for (const [i] of body.tasks.entries()) if (body.tasks.length > 1) yield { ...body, tasks: body.tasks.toSpliced(i, 1) }
  for (const [i, task] of body.tasks.entries()) {
    for (const [k] of task.entries()) yield { ...body, tasks: body.tasks.with(i, task.toSpliced(k, 1)) }
  }
}
