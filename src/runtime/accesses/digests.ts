import { each, type Family } from './family.ts'
import { changes } from './operations.ts'

/** What is fed piece by piece and keeps what it was fed: digests, signatures, ciphers, decoders of text. */
const { getBuiltinModule } = (globalThis.process as NodeJS.Process | undefined) ?? {}
const crypto = getBuiltinModule?.('node:crypto') as unknown as Record<string, { prototype: object } | undefined> | undefined
const decoders = getBuiltinModule?.('node:string_decoder') as unknown as Record<string, { prototype: object } | undefined> | undefined

const classes = ['Hash', 'Hmac', 'Sign', 'Verify', 'Cipheriv', 'Decipheriv'].map((name) => crypto?.[name])
const feeding = each(['update', 'digest', 'copy', 'sign', 'verify', 'final', 'setAAD', 'setAuthTag', 'getAuthTag', 'setAutoPadding', 'write', 'end'], changes)

export const digests: readonly Family[] = [...classes, decoders?.StringDecoder].map((kind) => ({ holder: kind?.prototype, methods: feeding }))
