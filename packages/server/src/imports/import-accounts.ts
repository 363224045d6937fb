import { isIP } from 'node:net'
import { Role } from '@tollgate/contract'
import { seconds } from '../common/clock.ts'
import { ConfigError } from '../common/config.ts'
import type { Tx } from '../database/client.ts'
import { type ImportedBalance, importBalance } from '../ledger/imported-balance.ts'
import { verifyPassword } from '../security/passwords.ts'
import { createKeyImport, type ImportedKey } from '../tokens/imported-key.ts'
import { DEFAULT_PASSWORD } from '../users/first-start.ts'
import { createAccountImport, type ImportedAccount } from '../users/imported-account.ts'
import { boundedQuota } from './bounded-quota.ts'
import { createFreeIds } from './free-ids.ts'
import type { ImportNeeds, ImportPart } from './import-needs.ts'
import { SourceToken, type SourceUser } from './source-rows.ts'

/** Accounts with their keys, balances and inviters. */
export async function importAccounts(
  { vault, clock, options }: ImportNeeds,
  tx: Tx,
  { source, users, ids, report }: ImportPart,
) {
  const now = seconds(clock)
  const accounts = await createAccountImport(tx)
  const keys = await createKeyImport(tx, vault)
  const tokens = (await source.all('tokens')).map((row) => SourceToken.parse(row))
  const tokensOf = Map.groupBy(tokens, ({ user_id }) => user_id)
  const freeUser = createFreeIds(
    accounts.ids,
    users.map(({ id }) => id),
  )
  const freeToken = createFreeIds(
    keys.ids,
    tokens.map(({ id }) => id),
  )

  const importKeys = async (userId: number, own: readonly SourceToken[]) => {
    const spent: ImportedBalance['keys'][number][] = []
    for (const token of own.filter(({ deleted_at }) => !deleted_at)) {
      const imported = keyOf(token, userId)
      if (keys.has(imported.key)) report.kept('keys')
      else if (!/^[^\s-]{8,}$/.test(imported.key)) report.note('a key that callers could not send', token.name)
      else {
        const tokenId = freeToken(token.id)
        const { hasBadSubnet } = await keys.create(tx, tokenId, imported)
        spent.push({ tokenId, usedQuota: boundedQuota(token.used_quota) })
        report.created('keys')
        if (hasBadSubnet) report.note('a key is disabled, because its addresses cannot be read', token.name)
        if (token.group !== '') report.note("a key had a group of its own, and now has its owner's", token.name)
      }
    }
    return spent
  }

  if (accounts.isEmpty) {
    if (!users.some((user) => user.role >= Role.root && !user.deleted_at)) throw new ConfigError(NO_ROOT)
    await options.writeInitial(tx)
  }
  for (const user of users) {
    const existing = accounts.existing(user.username)
    if (user.username === '') report.note('an account without a name')
    else if (user.deleted_at) report.note('a deleted account', user.username)
    else if (existing !== undefined) {
      ids.users.set(user.id, existing.id)
      report.kept('accounts')
      if (await accounts.adopt(tx, await accountOf(user))) report.note('root has the password of the other gateway now')
      await importKeys(existing.id, tokensOf.get(user.id) ?? [])
    } else {
      const id = freeUser(user.id)
      ids.users.set(user.id, id)
      const account = await accountOf(user)
      const lost = await accounts.create(tx, id, account, now)
      for (const member of lost) report.note(`${member} belongs to another account already`, user.username)
      if (account.passwordIsDefault)
        report.note(`still has the default password ${DEFAULT_PASSWORD}: change it at once`, user.username)
      if (loginOf(user) !== '')
        report.note('GitHub was bound by its login name, which can change hands: bind it again', user.username)
      if (user.oidc_id !== '') report.note('signed in through OpenID Connect, and now needs a password', user.username)
      const own = await importKeys(id, tokensOf.get(user.id) ?? [])
      await importBalance(tx, now, {
        ...{ userId: id, quota: boundedQuota(user.quota), usedQuota: boundedQuota(user.used_quota) },
        ...{ requestCount: boundedQuota(user.request_count), keys: own },
      })
      report.created('accounts')
    }
  }
  for (const { id, inviter_id } of users) {
    const [own, inviter] = [ids.users.get(id), ids.users.get(inviter_id)]
    if (own !== undefined && inviter !== undefined && own !== inviter) await accounts.invite(tx, own, inviter)
  }
  const orphans = tokens.filter(({ user_id, deleted_at }) => !deleted_at && !ids.users.has(user_id))
  for (const { name } of orphans) report.note('a key of an account that is not imported', name)
}

const NO_ROOT =
  'The other gateway has no super administrator. Start Tollgate once, so that it creates its own, and import then.'

/** Older versions bound GitHub by the login name; a number is GitHub's id, as here. */
const loginOf = ({ github_id }: SourceUser) => (/^\d*$/.test(github_id) ? '' : github_id)

async function accountOf(user: SourceUser): Promise<ImportedAccount> {
  return {
    // The other gateways begin with the same one.
    passwordIsDefault: user.role >= Role.root && (await verifyPassword(DEFAULT_PASSWORD, user.password)),
    ...{ username: user.username, passwordHash: user.password, displayName: user.display_name, email: user.email },
    role: user.role >= Role.root ? Role.root : user.role >= Role.admin ? Role.admin : Role.user,
    ...{ isEnabled: user.status === 1, group: user.group, accessToken: user.access_token },
    ...{ affiliateCode: user.aff_code, createdTime: user.created_at },
    ...{ github_id: loginOf(user) === '' ? user.github_id : '', wechat_id: user.wechat_id, lark_id: user.lark_id },
  }
}

function keyOf(token: SourceToken, userId: number): ImportedKey {
  const limited = token.model_limits_enabled ? token.model_limits : token.models
  return {
    ...{ userId, key: token.key.replace(/^sk-/, ''), name: token.name, isEnabled: token.status !== 2 },
    ...{ createdTime: token.created_time, accessedTime: token.accessed_time, expiredTime: token.expired_time },
    ...{ remainQuota: boundedQuota(token.remain_quota), isUnlimited: token.unlimited_quota },
    models: limited.split(',').flatMap((model) => model.trim() || []),
    subnet: token.subnet || token.allow_ips.split('\n').flatMap(subnetOf).join(','),
  }
}

/** new-api lists single addresses, too. */
function subnetOf(line: string) {
  const address = line.trim()
  if (address === '') return []
  return isIP(address) === 0 ? address : `${address}/${isIP(address) === 4 ? 32 : 128}`
}
