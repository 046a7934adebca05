export { renderPage, type PageInput } from './page.ts'
export { renderRunPage, type RunPageInput, type RunRow } from './run-page.ts'
