import type { Action, Address, Ast, Part, Step } from './ast.ts'

/** The program in readable form, a line for each thread. */
export function show(ast: Ast): string {
  const initial = ast.initial === undefined ? [] : [`initially ${ast.initial.join(' ')}`]
  const threads = ast.threads.map(({ spawned, steps }, i) => `T${i}${spawned ? ' (spawned)' : ''}: ${steps.map(showStep).join('  ')}`)
  return [...initial, ...threads].join('\n')
}

function showStep({ when, skips = 1, action }: Step): string {
  if (when === undefined) return showAction(action)
  return `if r==${when}${skips > 1 ? ` (else skip ${skips})` : ''} ${showAction(action)}`
}

function showVariable(variable: Address): string {
  return variable === 'r' ? 'v[r]' : `v${variable}`
}

function showAction(action: Action): string {
  switch (action.type) {
    case 'read':
      return `r=${showVariable(action.variable)}`
    case 'write':
      return `${showVariable(action.variable)}=${action.value}`
    case 'add':
      return `${showVariable(action.variable)}++`
    case 'combine':
      return `${showVariable(action.variable)} combine 1`
    case 'swap':
      return `r=cas(${showVariable(action.variable)},${action.expected},${action.next})`
    case 'atomic':
      return `${action.after === undefined ? '' : `after s${action.after} `}{${action.body.map(showPart).join('; ')}}`
    case 'lock':
    case 'unlock':
      return `${action.type} l${action.lock}`
    case 'until':
      return `r=until v${action.variable}${action.predicate.relation}${action.predicate.value}`
    case 'look':
      return `look ${action.variables.map((variable) => `v${variable}`).join(' ')}`
    case 'again':
      return `again {${action.body.map(showPart).join('; ')}}`
    case 'back':
      return `back ${action.steps} while r${action.while.relation}${action.while.value}${action.most === undefined ? '' : `, ${action.most} times at most`}`
    case 'raise':
    case 'await':
      return `${action.type} s${action.signal}`
    case 'delay':
      return `delay ${action.time}`
    case 'spawn':
    case 'join':
      return `${action.type} T${action.thread}`
    default:
      return action satisfies never
  }
}

function showPart(part: Part): string {
  switch (part.type) {
    case 'get':
      return `r=${showVariable(part.variable)}`
    case 'set':
      return `${showVariable(part.variable)}=${part.value}`
    case 'merge':
      return `${showVariable(part.variable)} combine 1`
    case 'set-signal':
      return `raise s${part.signal}`
    case 'if':
      return `if r==${part.equals} {${part.body.map(showPart).join('; ')}}`
    default:
      return part satisfies never
  }
}
