import type { Action, Ast, Part, Step } from './ast.ts'

/** The program in readable form, a line for each thread. */
export function show(ast: Ast): string {
  return ast.threads
    .map(({ spawned, steps }, i) => `T${i}${spawned ? ' (spawned)' : ''}: ${steps.map(showStep).join('  ')}`)
    .join('\n')
}

function showStep({ when, action }: Step): string {
  return when === undefined ? showAction(action) : `if r==${when} ${showAction(action)}`
}

function showAction(action: Action): string {
  switch (action.type) {
    case 'read':
      return `r=v${action.variable}`
    case 'write':
      return `v${action.variable}=${action.value}`
    case 'add':
      return `v${action.variable}++`
    case 'combine':
      return `v${action.variable} combine 1`
    case 'swap':
      return `r=cas(v${action.variable},${action.expected},${action.next})`
    case 'atomic':
      return `${action.after === undefined ? '' : `after s${action.after} `}{${action.body.map(showPart).join('; ')}}`
    case 'lock':
    case 'unlock':
      return `${action.type} l${action.lock}`
    case 'until':
      return `r=until v${action.variable}${action.predicate.relation}${action.predicate.value}`
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
      return `r=v${part.variable}`
    case 'set':
      return `v${part.variable}=${part.value}`
    case 'merge':
      return `v${part.variable} combine 1`
    case 'set-signal':
      return `raise s${part.signal}`
    case 'if':
      return `if r==${part.equals} {${part.body.map(showPart).join('; ')}}`
    default:
      return part satisfies never
  }
}
