import { optionsOf, runOracle } from '../servers/oracle.ts'
import { compare } from './compare.ts'
import { drivers, opener } from './open.ts'
import { generate, generateFurther, print } from './program.ts'

const options = optionsOf(100)
const programOf = options.further ? generateFurther : generate
let agree = true
for (const [name, Driver] of drivers) {
  console.log(name)
  const { open, end } = opener(Driver)
  agree = (await runOracle({ print: (seed) => print(programOf(seed)), compare: (seed, limit) => compare(programOf(seed), { open, limit }) }, options)) && agree
  end()
}
process.exit(agree ? 0 : 1)
