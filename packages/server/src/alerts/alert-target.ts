import { ALERT_METHODS, type AlertMethod } from '@tollgate/contract'
import { z } from 'zod'
import { GatewayError } from '../common/errors.ts'
import { pathText } from '../relay/surfaces/operations.ts'
import type { Vault } from '../security/vault.ts'
import type { Target } from './notifiers/notifier.ts'

const Sealed = z.object({ address: z.string(), secret: z.string() })

interface Place {
  id: number
  owner_id: number
  way: string
}

/** Bound to its row: copied to another destination it cannot be decrypted. */
export const sealTarget = (vault: Vault, place: Place, { address, secret }: Target) =>
  vault.seal(JSON.stringify({ address, secret }), contextOf(place))

/** Throws when it was encrypted with another master key. */
export const openTarget = (vault: Vault, row: Place & { target_sealed: string }): Target => {
  try {
    return Sealed.parse(JSON.parse(vault.open(row.target_sealed, contextOf(row))))
  } catch (error) {
    throw new GatewayError('alert.unreadable', { field: 'address' }, { cause: error })
  }
}

const contextOf = ({ id, owner_id, way }: Place) => `alert destination:${id}:${owner_id}:${way}`

/** Rejects what this delivery channel cannot use. An empty mailbox means that of the owner's account. */
export function refuseTarget(way: AlertMethod, { address, secret }: Target) {
  const facts = ALERT_METHODS[way]
  if (facts.secret === 'required' && secret === '') throw new GatewayError('alert.secret_needed', { field: 'secret' })
  if (facts.secret === 'none' && secret !== '') throw new GatewayError('alert.no_secret', { field: 'secret' })
  if (way === 'telegram' && !BOT_TOKEN.test(secret)) throw new GatewayError('alert.bad_bot_token', { field: 'secret' })
  if (!FITS[facts.address](address)) throw new GatewayError(BAD[facts.address], { field: 'address' })
}

/** It becomes part of a path, and must not lead to another one. */
const BOT_TOKEN = /^\d+:[\w-]+$/

const FITS = {
  url(address: string) {
    const url = URL.parse(address)
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    // Bark's path is the key of a device, which is sent decoded.
    return isPlain && pathText(url.pathname) !== undefined
  },
  mailbox: (address: string) => z.email().safeParse(address).success,
  chat: (address: string) => /^(-?\d{1,20}|@\w{1,64})$/.test(address),
}

const BAD = { url: 'alert.bad_address', mailbox: 'alert.bad_mailbox', chat: 'alert.bad_chat' } as const

/** Enough to distinguish destinations: host and last characters of a URL, the domain of a mailbox. */
export function hintOf(way: AlertMethod, address: string) {
  const kind = ALERT_METHODS[way].address
  if (kind === 'chat') return `…${address.slice(-3)}`
  if (kind === 'mailbox') return address.replace(/^(.).*@/, '$1…@')
  const { host, pathname, search } = new URL(address)
  const rest = pathname + search
  return rest.length >= 12 ? `${host}/…${rest.slice(-4)}` : `${host}/…`
}

/** A service's message without the owner's secrets. */
export function withoutTarget(text: string, { address, secret }: Target) {
  const url = URL.parse(address)
  const written = url === null ? [] : [...url.pathname.split('/'), ...valuesIn(url.search)]
  // A service repeats what it was sent, or what it understood.
  const parts = written.flatMap((part) => [part, pathText(part) ?? ''])
  return [address, secret, ...parts]
    .filter((part) => part.length >= PART_MIN || (part === secret && part !== ''))
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.replaceAll(part, '***'), text)
}

const valuesIn = (search: string) => search.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))

/** Shorter parts are words such as `hook`, not secrets. */
const PART_MIN = 8
