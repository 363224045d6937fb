import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/**
 * A self-signed certificate for the given names and IPv4 addresses, generated on the fly: no key in the repository and no openssl needed.
 * To trust it, pass `cert` as the `ca`.
 */
export function selfSigned(...names: string[]) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(COMMON_NAME, der(0x0c, Buffer.from('Tollgate test')))))
  const toBeSigned = sequence(
    der(0xa0, integer(2)), // version 3
    der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])), // the leading 1 keeps it positive
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...names.map(alternativeName)))))),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const certificate = sequence(toBeSigned, sequence(ECDSA_WITH_SHA256), der(0x03, Buffer.concat([ZERO, signature])))
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
const ZERO = Buffer.from([0])
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex') // 1.2.840.10045.4.3.2
const COMMON_NAME = Buffer.from('0603550403', 'hex') // 2.5.4.3
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex') // 2.5.29.17

const sequence = (...parts: Uint8Array[]) => der(0x30, Buffer.concat(parts))
const set = (...parts: Uint8Array[]) => der(0x31, Buffer.concat(parts))
const integer = (small: number) => der(0x02, Buffer.from([small]))

/** `20260801120000Z` */
const time = (ms: number) => der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)}Z`))

const alternativeName = (name: string) =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))

function der(tag: number, content: Uint8Array) {
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}

function length(bytes: number) {
  if (bytes < 0x80) return Buffer.from([bytes])
  if (bytes < 0x100) return Buffer.from([0x81, bytes])
  return Buffer.from([0x82, bytes >> 8, bytes & 0xff])
}

function pem(label: string, content: Uint8Array) {
  const lines =
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
