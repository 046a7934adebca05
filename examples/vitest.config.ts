import { dpor } from 'vitest-dpor/plugin'
import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [dpor({ maxExecutions: 10_000 })],
  // With servers and files of their own.
  test: { exclude: [...configDefaults.exclude, 'io/**'] },
})
