/** What makes files of packages into what Node runs in their place. It takes time to load. */
export { rewrite } from '../3-rewrite/rewrite.ts'
export { keepVariables } from './kept-variables.ts'
