/** What `vitest-dpor --help` prints before what Vitest has to say. */
export const help = `vitest-dpor: Vitest, with these options besides

  --dpor                          Explore every async test: run it in every order that its I/O could lead to
  --dpor=changed                  The same for the tests that --changed selects
  --dpor.races=<fail|warn>        What a test that fails in another order only means (default: fail)
  --dpor.baseline=<file>          Races that are known and fail nothing; written if there is no such file
  --dpor.max-time=<5m>            Time for all explorations of the run; each test runs at least as without --dpor
  --dpor.max-executions=<n>       Executions of all explorations of the run
  --dpor.test-time=<1s>           Time for one test, after its plain run (default: 1s, or its share of that of the run)
  --dpor.test-executions=<n>      Executions of one test (default: 200, or its share of those of the run)
  --dpor.no-cache                 Explore again what has held, though nothing has changed that it rests on
  --dpor.split                    With --shard=1/4: run all test files, and explore a fourth of the executions of each test
  --dpor.split=<n>                The same with n processes on this machine, and their reports merged
  --dpor.replay=<schedule>        Run the one order that a failure has printed
  --dpor.<option>=<value>         Any option of a dporTest, in kebab case; it wins over those of tests and config

vitest-dpor init [--yes]          Add the plugin to the Vitest config, and a script; shows the change first

The same without this command: vitest run -- --dpor --dpor.races=warn, or DPOR=1 vitest run.
`
