export { renderPage, type PageInput } from './page.ts'
