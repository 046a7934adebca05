/** What was saved does not fit what is run: the steps that led to it cannot be taken, or do something else. */
export class ProgramChanged extends Error {
  override readonly name = 'ProgramChanged'
}
