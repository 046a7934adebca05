import { defineConfig } from 'vitest/config'
import { dpor } from '../../../plugin/index.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [dpor({ maxExecutions: 7, exclude: '**/excluded.ts' })],
  test: {
    include: ['*.spec.ts'],
    setupFiles: ['./use-inert.ts'],
    globalSetup: ['./global-setup.ts'],
    provide: { mine: 1 } as never,
    reporters: ['json'],
  },
})
