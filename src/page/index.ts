export { renderPage, type PageInput } from './page.ts'
export { renderRunPage, type RunLines, type RunPageInput, type RunRow } from './run-page.ts'
