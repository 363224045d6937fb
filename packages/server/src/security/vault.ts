import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets for the database: AES-256-GCM with a key derived from the master key. The text contains the key id
 * (`v1.<key id>.<nonce>.<ciphertext>`), and is bound to its context: a value copied to another row, or a channel key whose channel
 * now points to another host, cannot be decrypted.
 */
export interface Vault {
  /** Identifies the current master key; safe to show. */
  keyId: string
  seal(plaintext: string | Uint8Array, context: string): string
  open(sealed: string, context: string): string
  /** The same for binary data. */
  openBytes(sealed: string, context: string): Buffer
}

/** The first key encrypts; all of them decrypt, so that a key can be replaced while old rows remain. */
export const createVault = (masterKeys: readonly Uint8Array[]): Vault => {
  const keys = new Map(masterKeys.map((master) => [keyIdOf(master), sealingKey(master)]))
  const current = [...keys.keys()][0]
  if (current === undefined) throw new Error('A vault needs a master key')

  const openBytes = (sealed: string, context: string) => {
    const [version, keyId = '', nonce = '', body = ''] = sealed.split('.')
    if (version !== 'v1') throw new Error('Not a sealed value')
    const bytes = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', keyFor(keys, keyId), Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-16))
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
  }

  return {
    keyId: current,
    openBytes,

    seal(plaintext, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(keys, current), nonce).setAAD(Buffer.from(context))
      const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
      return `v1.${current}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
    },

    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
  }
}

export const keyIdOf = (master: Uint8Array) =>
  createHash('sha256').update('tollgate key id').update(master).digest('hex').slice(0, 8)

function sealingKey(master: Uint8Array) {
  return Buffer.from(hkdfSync('sha256', master, 'tollgate', 'seal', 32))
}

function keyFor(keys: Map<string, Buffer>, keyId: string) {
  const key = keys.get(keyId)
  if (key === undefined) throw new Error(`The master key ${keyId} is not configured`)
  return key
}
