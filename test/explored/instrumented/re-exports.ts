import { shown } from './counter.ts'

export * from './counter.ts'
export { count as total } from './counter.ts'
export { shown as passedOn }
