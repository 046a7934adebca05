import { validity } from '../src/engine/validity.ts'

// Every test runs with the engine's invariants checked, but for those that say why not.
validity.checked = true
