import type { AlertKind, Text } from '@tollgate/contract'
import type { BudgetUse } from '../budgets/budget-warnings.ts'
import { type Clock, monotonicMs } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { budgetMail, channelStateMail, quotaReminderMail, usageAnomalyMail } from '../integrations/mail-templates.ts'
import type { Pusher } from '../integrations/pusher.ts'
import { quotaText } from '../logs/quota-text.ts'
import type { OutgoingMail } from '../mail/outgoing-mail.ts'
import { defaultLanguage } from '../options/default-language.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { AccountsService } from '../users/accounts-service.ts'

export type NotificationsService = ReturnType<typeof createNotificationsService>

interface Needs {
  accounts: AccountsService
  mail: OutgoingMail
  pusher: Pusher
  options: OptionsService
  clock: Clock
  log: Log
  ownAddress: string
  /** Whether an alert rule of the owner covers it: then the rule reports it, to the chosen destinations. */
  isCovered(ownerId: number, kind: AlertKind): Promise<boolean>
}

/** The owner id of rules for what belongs to no user. */
const GATEWAY = 0

export interface ChannelChange {
  channel: { id: number; name: string }
  /** `failing` needs attention: the channel was left as it is. */
  change: 'disabled' | 'enabled' | 'failing'
  reason: Text
}

export interface UsageAnomaly {
  channel: { id: number; name: string }
  model: string
  requestId: string
}

const HOUR_MS = 3_600_000

export interface Notice {
  title: string
  description: string
  content: string
}

/** Background notifications. They never fail the operation that caused them: errors are logged. */
export const createNotificationsService = (needs: Needs) => {
  const { accounts, mail, pusher, options, clock, log, ownAddress, isCovered } = needs
  const anomalyNotifiedMs = new Map<number, number>()

  const remind = async (userId: number, balance: number) => {
    const user = await accounts.find(userId)
    if (!user?.email) return
    const value = options.values()
    const display = { inCurrency: value.DisplayInCurrencyEnabled, perUnit: value.QuotaPerUnit }
    const language = defaultLanguage(value)
    await mail.send(
      user.email,
      quotaReminderMail({
        language,
        systemName: value.SystemName,
        username: user.username,
        state: balance <= 0 ? 'empty' : 'low',
        amount: quotaText(balance, display)[language],
        link: new URL('/topup', value.ServerAddress || ownAddress).href,
      }),
    )
  }

  /** To the operator: through the message pusher, or by mail if there is none or it fails. */
  const tellRoot = async (notice: Notice) => {
    const { MessagePusherAddress: address, MessagePusherToken: token } = options.values()
    try {
      if (address !== '' && token !== '') return await pusher.push({ address, token, ...notice })
    } catch (error) {
      log.warn('The message pusher failed; trying mail', { error })
    }
    await mailToRoot(notice).catch((error) => log.error('A notice could not be sent', { error }))
  }

  const mailToRoot = async ({ title, content }: Notice) => {
    const root = await accounts.findRoot()
    if (!root?.email) return
    const html = `<div style="white-space:pre-wrap">${Bun.escapeHTML(content)}</div>`
    await mail.send(root.email, { subject: title, text: content, html })
  }

  return {
    /** Notifies the owner once, when a balance falls below the threshold or runs out. */
    async balanceFell({ userId, from, to }: { userId: number; from: number; to: number }) {
      const { QuotaRemindThreshold: threshold, SMTPServer } = options.values()
      const crossed = (from >= threshold && to < threshold) || (from > 0 && to <= 0)
      if (!crossed || SMTPServer === '') return
      const remindUncovered = async () => {
        if (!(await isCovered(userId, 'balance'))) await remind(userId, to)
      }
      await remindUncovered().catch((error) => log.error('A quota reminder could not be sent', { error, userId }))
    },

    /** To the owner; without one, to the administrators. */
    async budgetUsed({ name, ownerId, percent, used, limit }: BudgetUse) {
      if (await isCovered(ownerId ?? GATEWAY, 'budget')) return
      const value = options.values()
      const display = { inCurrency: value.DisplayInCurrencyEnabled, perUnit: value.QuotaPerUnit }
      const language = defaultLanguage(value)
      const message = budgetMail({
        language,
        systemName: value.SystemName,
        name: name[language],
        percent,
        used: quotaText(used, display)[language],
        limit: quotaText(limit, display)[language],
      })
      if (ownerId === undefined) {
        return tellRoot({ title: message.subject, description: message.subject, content: message.text })
      }
      const owner = await accounts.find(ownerId)
      if (owner?.email && value.SMTPServer !== '') await mail.send(owner.email, message)
    },

    async channelChanged({ channel, change, reason }: ChannelChange) {
      if (change !== 'failing' && (await isCovered(GATEWAY, 'channel_disabled'))) return
      const value = options.values()
      const language = defaultLanguage(value)
      const mailed = { language, systemName: value.SystemName }
      const { subject, text } = channelStateMail({ ...mailed, channel, change, reason: reason[language] })
      await tellRoot({ title: subject, description: subject, content: text })
    },

    /** A vendor with implausible usage sends it in every answer: one message an hour per channel is enough. */
    async usageAnomaly({ channel, model, requestId }: UsageAnomaly) {
      const now = monotonicMs(clock)
      if (now - (anomalyNotifiedMs.get(channel.id) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return
      anomalyNotifiedMs.set(channel.id, now)
      const value = options.values()
      const mailed = { language: defaultLanguage(value), systemName: value.SystemName }
      const { subject, text } = usageAnomalyMail({ ...mailed, channel, model, requestId })
      await tellRoot({ title: subject, description: subject, content: text })
    },

    async booksDiffer(notice: Notice) {
      if (!(await isCovered(GATEWAY, 'books'))) await tellRoot(notice)
    },

    tellRoot,
  }
}
