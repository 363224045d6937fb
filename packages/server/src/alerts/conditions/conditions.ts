import type { AlertKind, Text } from '@tollgate/contract'
import type { AuditService } from '../../audit/audit-service.ts'
import type { BudgetsService } from '../../budgets/budgets-service.ts'
import type { Attention } from '../../channels/channel-attention.ts'
import type { ChannelsService } from '../../channels/channels-service.ts'
import type { Db } from '../../database/client.ts'
import { createChannelConditions } from './channel-conditions.ts'
import type { Condition } from './condition.ts'
import { createOwnConditions } from './own-conditions.ts'
import { createSystemConditions } from './system-conditions.ts'
import { createUsageConditions } from './usage-conditions.ts'

export type Conditions = Record<AlertKind, Condition>

interface Needs {
  db: Db
  channels: Pick<ChannelsService, 'states'>
  attention: Pick<Attention, 'all'>
  budgets: Pick<BudgetsService, 'uses'>
  audit: Pick<AuditService, 'list'>
  amountText(quota: number): Text
}

/** The condition of each kind of rule. */
export const createConditions = ({ db, channels, attention, budgets, audit, amountText }: Needs): Conditions => {
  const ofChannels = createChannelConditions({ channels, attention })
  const ofUsage = createUsageConditions({ db, amountText })
  const ofOwners = createOwnConditions({ db, budgets, amountText })
  const ofSystem = createSystemConditions({ db, audit })
  return {
    channel_disabled: ofChannels.disabled,
    channel_failing: ofChannels.failing,
    failures: ofUsage.failures,
    spend: ofUsage.spend,
    channel_balance: ofChannels.balance,
    budget: ofOwners.budget,
    books: ofSystem.books,
    price: ofChannels.price,
    node: ofSystem.node,
    balance: ofOwners.balance,
    key: ofOwners.key,
    key_expiry: ofOwners.keyExpiry,
  }
}
