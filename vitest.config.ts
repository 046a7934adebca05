import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        // The package from inside: engine, plugin, reports, and suites that spawn the real Vitest.
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/**/fixtures/**'],
          testTimeout: 30_000,
        },
      },
      // Tests that explore: they run under the plugin.
      './test/explored/vitest.config.ts',
    ],
  },
})
