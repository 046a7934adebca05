import type { webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

const curve = { name: 'ECDSA', namedCurve: 'P-256' }
const signing = { name: 'ECDSA', hash: 'SHA-256' }
const text = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[/+]/g, (m) => ({ '/': '_', '+': '-' })[m]!)

/** Two others whose order matters, so that there are several executions. */
async function besides(work: () => Promise<string>): Promise<[string, number]> {
  const seen = { last: 0 }
  const [made] = await Promise.all([work(), ...[1, 2].map(async (n) => {
    await null
    seen.last = n
  })])
  return [made, seen.last]
}

const bodies: Record<string, () => Promise<string>> = {
  'a pair of keys': async () => {
    const { privateKey } = await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])
    return text(await crypto.subtle.exportKey('pkcs8', privateKey))
  },
  'a pair of keys that cannot be exported': async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify'])
    const signature = await crypto.subtle.sign(signing, privateKey, new Uint8Array(3))
    if (!(await crypto.subtle.verify(signing, publicKey, signature, new Uint8Array(3)))) throw new Error('not signed by it')
    return text(signature)
  },
  'signatures by a key that was imported': async () => {
    const made = await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])
    const key = await crypto.subtle.importKey('pkcs8', await crypto.subtle.exportKey('pkcs8', made.privateKey), curve, true, ['sign'])
    const [first, second] = await Promise.all([1, 2].map((n) => crypto.subtle.sign(signing, key, new Uint8Array([n]))))
    if (!(await crypto.subtle.verify(signing, made.publicKey, first!, new Uint8Array([1])))) throw new Error('not signed by it')
    return text(first!) + text(second!)
  },
  'keys that two share': async () => {
    const usages = ['encrypt', 'decrypt'] as const
    const keys = await Promise.all([crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, usages), crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-384' }, true, ['sign'])])
    const how = keys.map(({ algorithm, extractable, usages: all, type }) => JSON.stringify({ algorithm, extractable, all, type }))
    return [...how, ...(await Promise.all(keys.map(async (key) => text(await crypto.subtle.exportKey('raw', key)))))].join()
  },
  'what is encrypted for one reader': async () => {
    const how = { name: 'RSA-OAEP', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }
    const { publicKey, privateKey } = await crypto.subtle.generateKey(how, false, ['encrypt', 'decrypt'])
    const secret = await crypto.subtle.encrypt(how, publicKey, new Uint8Array([7]))
    return text(secret) + text(await crypto.subtle.decrypt(how, privateKey, secret))
  },
}

describe('what crypto.subtle draws is the same in each execution', () => {
  for (const [name, body] of Object.entries(bodies)) {
    test.each(['await', 'event-loop'] as const)(`${name}, switches at %s`, async (interleave) => {
      const { seen, verdict, executions } = await outcomes(() => besides(body), { interleave })
      const all = seen.map((one) => JSON.parse(one) as [string, number])
      expect(verdict).toBe('holds')
      expect(executions).toBeGreaterThan(1)
      expect(new Set(all.map(([made]) => made)).size).toBe(1)
      expect(all.map(([, last]) => last)).toEqual(expect.arrayContaining([1, 2]))
    })
  }

  test('keys that two share are what the platform makes', async () => {
    const made = async (): Promise<unknown> => Promise.all([{ name: 'AES-CBC', length: 192 }, { name: 'AES-GCM', length: 7 }, { name: 'HMAC', hash: { name: 'SHA-1' } }, { name: 'HMAC', hash: 'SHA-256', length: 256 }].map(async (algorithm) => {
      try {
        const usages: webcrypto.KeyUsage[] = algorithm.name === 'HMAC' ? ['verify'] : ['decrypt']
        const key = (await crypto.subtle.generateKey(algorithm, false, usages)) as webcrypto.CryptoKey
        return [key.algorithm, key.extractable, key.usages, key.type]
      } catch (error) {
        return String(error)
      }
    }))
    const { seen } = await outcomes(made)
    expect(seen.map((one) => JSON.parse(one) as unknown)).toEqual([await made()])
  })

  test('each is another one within an execution', async () => {
    const { seen } = await outcomes(async () => {
      const key = (await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])).privateKey
      const other = (await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])).privateKey
      const texts = [...(await Promise.all([key, other].map(async (one) => text(await crypto.subtle.exportKey('pkcs8', one))))), ...(await Promise.all([1, 2].map(async () => text(await crypto.subtle.sign(signing, key, new Uint8Array(1))))))]
      return new Set(texts).size
    })
    expect(seen).toEqual(['4'])
  })
})
