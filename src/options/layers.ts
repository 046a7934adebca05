/** Where options of an explored body may be set, the nearest first. */
export const layers = ['commandLine', 'test', 'plugin'] as const

export type Layer = (typeof layers)[number]

/** Stands behind "it can be set only". */
export function placeOf(layer: Layer): string {
  switch (layer) {
    case 'commandLine':
      return 'on the command line'
    case 'test':
      return 'for a test'
    case 'plugin':
      return 'in dpor({ ... }) in the Vitest config'
    default:
      return layer satisfies never
  }
}
