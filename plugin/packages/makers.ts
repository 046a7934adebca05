/** What makes files of packages into what Node runs in their place. It takes time to load. */
export { stateOf } from '../2-analyse/closed.ts'
export { rewrite } from '../3-rewrite/rewrite.ts'
export { restored } from '../4-restore/restore.ts'
export { keepVariables } from './kept-variables.ts'
