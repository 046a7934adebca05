import { defineConfig } from 'vitest/config'
import { dpor } from '../../plugin/index.ts'

export default defineConfig({
  plugins: [dpor({ maxExecutions: 100_000, exclude: ['**/uninstrumented/**'] })],
  resolve: {
    alias: {
      'vitest-dpor/engine': new URL('../../src/engine/index.ts', import.meta.url).pathname,
      'vitest-dpor': new URL('../../src/index.ts', import.meta.url).pathname,
    },
  },
  test: { name: 'explored', include: ['**/*.spec.ts'], setupFiles: ['../validity.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
})
