import type { Ast, Condition, Part, Single, Step } from './ast.ts'

/** The program in readable form, a line for each thread. */
export function show({ threads, end }: Ast): string {
  const lines = threads.map((steps, i) => `T${i}: ${steps.map(showStep).join('  ')}`)
  return [...lines, `end: ${end.map(showPart).join('; ')}`].join('\n')
}

function showStep(step: Step): string {
  const when = step.when === undefined ? '' : `if ${showCondition(step.when)} `
  if (step.type === 'until') return `${when}r=until v${step.variable}${step.negated ? '!=' : '=='}${step.equals}`
  return step.type === 'single' ? `${when}${showSingle(step.part)}` : `${when}{${step.body.map(showPart).join('; ')}}`
}

function showPart(part: Part): string {
  if (part.type === 'if') return `if ${showCondition(part.condition)} {${part.body.map(showPart).join('; ')}}`
  return part.type === 'throw' ? 'throw' : showSingle(part)
}

function showCondition(condition: Condition): string {
  return typeof condition === 'string' ? `r ${condition}` : `r==${condition.equals}`
}

function showSingle(part: Single): string {
  const { type, ...rest } = part
  return `${type}(${Object.values(rest).map((value) => (typeof value === 'string' && value !== 'r' && value !== 'r+1' ? `'${value}'` : String(value))).join(',')})`
}
