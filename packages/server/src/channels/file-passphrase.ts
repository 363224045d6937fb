import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { GatewayError } from '../common/errors.ts'

/** The encryption parameters of a file: what is needed to try a passphrase, and nothing else. */
const Sealing = z.strictObject({
  kdf: z.literal('scrypt'),
  /** The cost parameter of scrypt. Bounded, because a file could demand more memory than there is. */
  n: z.literal([1 << 15, 1 << 16, 1 << 17]),
  r: z.literal(8),
  p: z.literal(1),
  salt: z.string().max(64),
  cipher: z.literal('aes-256-gcm'),
  /** An encrypted empty text: it distinguishes a wrong passphrase from a manipulated file. */
  check: z.string().max(64),
})

export type Sealing = z.infer<typeof Sealing>

const NONCE = 12
const TAG = 16

/** For a new file: parameters and cipher. */
export const newSealing = async (passphrase: string): Promise<{ sealing: Sealing; sealer: Sealer }> => {
  const cost = { n: 1 << 16, r: 8, p: 1 } as const
  const salt = randomBytes(16).toString('base64url')
  const sealer = await sealerFor(passphrase, { ...cost, salt })
  return { sealing: { kdf: 'scrypt', ...cost, salt, cipher: 'aes-256-gcm', check: sealer.seal('', CHECK) }, sealer }
}

/** For an imported file; throws for a wrong passphrase. */
export const openSealing = async (passphrase: string, sealing: Sealing): Promise<Sealer> => {
  if (passphrase === '') throw new GatewayError('channel.file_passphrase')
  const sealer = await sealerFor(passphrase, sealing)
  if (sealer.open(sealing.check, CHECK) === undefined) throw new GatewayError('channel.file_wrong_passphrase')
  return sealer
}

const CHECK = 'check'

export interface Sealer {
  seal(text: string, context: string): string
  /** Undefined for another passphrase or context. */
  open(sealed: string, context: string): string | undefined
}

/** Encrypts and decrypts texts, each bound to its context. The key is derived once per file. */
const sealerFor = async (
  passphrase: string,
  { n, r, p, salt }: Pick<Sealing, 'n' | 'r' | 'p' | 'salt'>,
): Promise<Sealer> => {
  const bytes = Buffer.from(salt, 'base64url')
  // Composed and decomposed spellings must give the same passphrase.
  const key = await deriveKey(passphrase.normalize('NFKC'), bytes, { N: n, r, p })
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },

    open(sealed, context) {
      const all = Buffer.from(sealed, 'base64url')
      if (all.length < NONCE + TAG) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, all.subarray(0, NONCE))
          .setAAD(Buffer.from(context))
          .setAuthTag(all.subarray(-TAG))
        return decipher.update(all.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}

export const readSealing = (value: unknown): Sealing => {
  const sealing = Sealing.safeParse(value)
  if (!sealing.success) throw new GatewayError('channel.file_sealing')
  return sealing.data
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

function deriveKey(passphrase: string, salt: Buffer, cost: { N: number; r: number; p: number }) {
  return derive(passphrase, salt, 32, { ...cost, maxmem: 256 * 1024 * 1024 })
}
