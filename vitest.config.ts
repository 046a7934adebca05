import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Vitest itself leaves a core to what watches files, which is half of a machine that has two.
    maxWorkers: '100%',
    projects: [
      {
        // The package from inside: engine, runtime, plugin, reports.
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/**/fixtures/**', 'test/outside/**'],
          setupFiles: ['test/validity.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The package from outside: packed, installed beside Vitest, and run as a user runs it.
        test: {
          name: 'outside',
          include: ['test/outside/**/*.test.ts'],
          globalSetup: ['test/outside/install.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      // Tests that explore: they run under the plugin.
      './test/explored/vitest.config.ts',
    ],
  },
})
