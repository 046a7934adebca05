import { dpor } from 'vitest-dpor/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [dpor({ maxExecutions: 10_000 })],
  test: { globalSetup: ['./postgres.ts', './redis.ts', './queue-server.ts'], testTimeout: 60_000 },
})
