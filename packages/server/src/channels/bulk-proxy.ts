import { type ChannelChange, type ChannelConfig, isRoot, proxyUrl } from '@tollgate/contract'
import type { By } from '../audit/audit-service.ts'
import { GatewayError } from '../common/errors.ts'
import type { Tx } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { refuseAccessToken } from '../users/ranks.ts'
import { facts } from './channel-edit.ts'
import { channelKeysRepository } from './channel-keys-repository.ts'
import { type ChannelSecrets, placeOfRow, readSecrets, sealSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { openPoolKey, sealPoolKey } from './pool-secrets.ts'

/** A channel's change of proxy, or of the login at its proxy. */
export interface ProxyChange {
  /** JSON text, as it is stored. */
  config: string
  before: ChannelSecrets
  after: ChannelSecrets
  hasOtherLogin: boolean
}

/**
 * For a single channel the keys must be entered again with another proxy. For many that is impossible, so stored keys use the new
 * proxy, and only those who may export keys anyway can decide that.
 */
export const refuseProxyChange = ({ actor }: By, { proxy }: ChannelChange) => {
  if (proxy === undefined) return
  if (!isRoot(actor.role)) throw new GatewayError('channel.bulk_proxy_root_only')
  refuseAccessToken(actor)
}

/** Undefined if nothing changes. A login that is not entered is kept as long as the proxy is the same. */
export const proxyChangeOf = (vault: Vault, row: StoredChannel, change: ChannelChange): ProxyChange | undefined => {
  if (change.proxy === undefined) return undefined
  const { proxy: old = '', ...config }: ChannelConfig = JSON.parse(row.config)
  const isSame = proxyUrl(old) === proxyUrl(change.proxy)
  const { proxy_user = '', proxy_password = '' } = change
  if (isSame && proxy_user === '' && proxy_password === '') return undefined

  const { readable, ...before } = readSecrets(vault, row)
  if (!readable) throw new GatewayError('channel.copy_sealed', { name: row.name })
  const { proxy_user: user, proxy_password: password, ...others } = before.config
  const typed = { ...(proxy_user !== '' && { proxy_user }), ...(proxy_password !== '' && { proxy_password }) }
  const secrets: ChannelSecrets['config'] = { ...(isSame ? before.config : others), ...typed }
  const hasOtherLogin = secrets.proxy_user !== user || secrets.proxy_password !== password
  if (isSame && !hasOtherLogin) return undefined
  return {
    config: JSON.stringify({ ...config, ...(change.proxy !== '' && { proxy: change.proxy }) }),
    before,
    after: { key: before.key, config: secrets },
    hasOtherLogin,
  }
}

/** Encrypts for the new proxy: the channel's own secrets, and the keys of its pool. */
export const writeProxy = async (tx: Tx, vault: Vault, row: StoredChannel, { config, after }: ProxyChange) => {
  const place = placeOfRow({ ...row, config })
  await channelsRepository(tx).updateMany([row.id], { config, ...sealSecrets(vault, place, after) })
  if (row.key_count === 0) return
  for (const { id, key_sealed } of await channelKeysRepository(tx).sealed(row.id)) {
    const secrets = openPoolKey(vault, placeOfRow(row), key_sealed)
    if (secrets === undefined) throw new GatewayError('channel.copy_sealed', { name: row.name })
    await channelKeysRepository(tx).update([id], sealPoolKey(vault, place, secrets))
  }
}

/** What the audit log records. */
export const proxyFacts = (row: StoredChannel, { config, before, after }: ProxyChange) => {
  const shown = ({ proxy, secret }: ReturnType<typeof facts>) => ({ proxy: proxy ?? '', secret })
  return { before: shown(facts(row, before)), after: shown(facts({ ...row, config }, after)) }
}
