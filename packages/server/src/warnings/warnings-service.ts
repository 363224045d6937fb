import {
  channelType,
  commaList,
  groupsOf,
  NEVER_EXPIRES,
  type Received,
  type Text,
  type Warning,
  type warnings,
} from '@tollgate/contract'
import type { By } from '../audit/audit-service.ts'
import type { BudgetsService } from '../budgets/budgets-service.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Prices } from '../catalog/prices.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import type { ChannelKeysService } from '../channels/channel-keys-service.ts'
import type { ChannelsService } from '../channels/channels-service.ts'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { OptionsService } from '../options/options-service.ts'
import { modelBehind } from '../relay/models/aliases.ts'
import { freshSnapshot } from '../routes/route-query.ts'
import { isSubnetList, isWithin } from '../tokens/subnets.ts'
import type { TokensService } from '../tokens/tokens-service.ts'
import type { IsReachable } from '../upstream/reachable.ts'
import type { AccountsService } from '../users/accounts-service.ts'
import type { UsersService } from '../users/users-service.ts'
import { createChannelWarnings } from './channel-warnings.ts'
import { createOptionWarnings } from './option-warnings.ts'
import { type Calls, smallestHold } from './smallest-hold.ts'
import { warning } from './warning-texts.ts'

export type WarningsService = ReturnType<typeof createWarningsService>

interface Needs {
  clock: Clock
  catalog: CatalogService
  options: OptionsService
  prices: Prices
  channels: ChannelsService
  channelKeys: ChannelKeysService
  tokens: TokensService
  users: UsersService
  accounts: AccountsService
  budgets: BudgetsService
  isReachable: IsReachable
  /** From where a key was used lately. */
  addressesOf(token: number): Promise<string[]>
  amountText(quota: number): Text
}

type TokenChange = Received<typeof warnings.token>['body']
type UserChange = Received<typeof warnings.user>['body']
type BudgetChange = Received<typeof warnings.budget>['body']

/** What would fail if a change were saved. It changes nothing, and is not called while a change is saved. */
export const createWarningsService = (needs: Needs) => {
  const { clock, catalog, options, tokens, users, accounts, budgets, addressesOf, amountText } = needs

  const cheapestHold = (snapshot: Snapshot, calls: Calls) =>
    smallestHold({ snapshot, pricing: catalog, outputTokens: options.values().PreConsumedQuota }, calls)

  const tooSmall = (
    code: 'token.quota' | 'user.quota' | 'budget.small',
    quota: number,
    snapshot: Snapshot,
    calls: Calls,
  ): Warning[] => {
    if (quota <= 0) return [warning(code, {})]
    const hold = cheapestHold(snapshot, calls)
    if (hold === undefined || quota >= hold.quota) return []
    return [warning(code, { model: hold.model, amount: amountText(hold.quota) })]
  }

  /** Whether the relay would find a channel for this name, which may be an alias. */
  const isOfferedTo = (snapshot: Snapshot, groups: readonly string[]) => {
    const isOffered = (model: string) => groups.some((group) => snapshot.offers(group, model).length > 0)
    return (name: string) => isOffered(modelBehind(name, options.values().ModelAliases, isOffered))
  }

  /** Of a key that is in use: nobody knows from where a new one will be used. */
  const subnets = async (before: { id: number; subnet: string } | undefined, subnet: string) => {
    if (before === undefined || subnet === before.subnet || !isSubnetList(subnet)) return []
    const addresses = await addressesOf(before.id)
    if (addresses.length === 0 || addresses.some((address) => isWithin(address, subnet))) return []
    return [warning('token.subnet', { addresses })]
  }

  return {
    ...createChannelWarnings(needs),
    ofOption: createOptionWarnings({ ...needs, largestBalance: accounts.largestBalance }),

    async ofToken(actor: Actor, change: TokenChange): Promise<Warning[]> {
      const before = change.id === undefined ? undefined : await tokens.get(actor, change.id)
      const { models: list = before?.models ?? '', unlimited_quota: unlimited = before?.unlimited_quota ?? false } =
        change
      const snapshot = await freshSnapshot(catalog)
      const groups = groupsOf(actor.group)
      const models = commaList(list)
      const found: Warning[] = []
      if (models.length > 0 && models.join() !== before?.models && !models.some(isOfferedTo(snapshot, groups))) {
        found.push(warning('token.models', { models }))
      }
      const { remain_quota: remain, expired_time: expiry = NEVER_EXPIRES } = change
      const isOther = remain !== before?.remain_quota || unlimited !== before?.unlimited_quota
      if (!unlimited && remain !== undefined && isOther) {
        const allowed = new Set(models)
        const isAllowed = (model: string) => allowed.size === 0 || allowed.has(model)
        found.push(...tooSmall('token.quota', remain, snapshot, { groups, isAllowed }))
      }
      // 0 means never, as -1 does.
      if (expiry > 0 && expiry !== before?.expired_time && expiry <= seconds(clock)) {
        found.push(warning('token.expired', undefined))
      }
      found.push(...(await subnets(before, change.subnet ?? '')))
      return found
    },

    async ofUser(by: By, { id, group, quota }: UserChange): Promise<Warning[]> {
      const before = await users.get(by, id)
      const snapshot = await freshSnapshot(catalog)
      const groups = groupsOf(group ?? before.group)
      const found: Warning[] = []
      if (group !== undefined && groups.join() !== groupsOf(before.group).join() && !hasChannel(snapshot, groups)) {
        found.push(warning('user.group', { groups }))
      }
      if (quota !== undefined && quota !== before.quota) {
        found.push(...tooSmall('user.quota', quota, snapshot, { groups }))
      }
      return found
    },

    async ofBudget(actor: Actor, change: BudgetChange): Promise<Warning[]> {
      const { scope, target, model, quota, used, raise } = await budgets.meant(actor, change)
      if (quota === change.quota) return []
      const calls: Calls = model === '' ? {} : { isAllowed: (name) => name === model }
      if (scope === 'group') calls.groups = [target]
      else if (scope === 'channel') calls.channel = Number(target)
      else {
        const owner = await accounts.find(scope === 'user' ? Number(target) : await budgets.ownerOfKey(target))
        if (owner !== undefined) calls.groups = groupsOf(owner.group)
      }
      const snapshot = await freshSnapshot(catalog)
      const found = tooSmall('budget.small', change.quota, snapshot, calls)
      if (found.length > 0 || used === 0) return found
      const hold = cheapestHold(snapshot, calls)?.quota ?? 1
      const isSpent = (amount: number) => used + hold > amount + raise
      return isSpent(change.quota) && !isSpent(quota) ? [warning('budget.spent', { used: amountText(used) })] : []
    },
  }
}

/** Channels that only forward have no models. */
const hasChannel = ({ routes }: Snapshot, groups: readonly string[]) =>
  [...routes.values()].some(
    ({ status, type, models, groups: of }) =>
      status === 1 &&
      (models.size > 0 || channelType(type)?.hasModels === false) &&
      groups.some((group) => of.has(group)),
  )
