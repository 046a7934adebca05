/** What is printed, and where. */
export const ofReports = /^--(?:reporter|outputFile|output-file)(?:[.=]|$)/
/** Where the project is. */
export const ofProject = /^(?:--(?:config|root|dir)(?:=|$)|-[cr]$)/

/** `--reporter json` is one thing, as `--reporter=json` is. */
export function withValues(args: readonly string[]): (readonly string[])[] {
  const all: string[][] = []
  for (const argument of args) {
    const [name, value] = all.at(-1) ?? []
    const isValue = name !== undefined && value === undefined && !name.includes('=') && (ofReports.test(name) || ofProject.test(name))
    if (isValue) all.at(-1)!.push(argument)
    else all.push([argument])
  }
  return all
}
