import { ALERT_METHODS, type AlertMethod } from '@tollgate/contract'
import type { Clock } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { ExternalServices } from '../integrations/addresses.ts'
import { layout } from '../integrations/mail-layout.ts'
import type { OutgoingMail } from '../mail/outgoing-mail.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Vault } from '../security/vault.ts'
import type { AccountsService } from '../users/accounts-service.ts'
import type { StoredDestination } from './alert-destinations-repository.ts'
import type { AlertMessage } from './alert-message.ts'
import { openTarget, withoutTarget } from './alert-target.ts'
import { titleAlone } from './alert-texts.ts'
import { bark } from './notifiers/bark.ts'
import { dingtalk } from './notifiers/dingtalk.ts'
import { feishu } from './notifiers/feishu.ts'
import { atMost, type HttpNotifier, type Refusal, type Target } from './notifiers/notifier.ts'
import { slack } from './notifiers/slack.ts'
import { telegram } from './notifiers/telegram.ts'
import { webhook } from './notifiers/webhook.ts'
import { wecom } from './notifiers/wecom.ts'

export type SendAlert = ReturnType<typeof createSendAlert>

interface Needs extends ExternalServices {
  mail: Pick<OutgoingMail, 'send'>
  accounts: Pick<AccountsService, 'find'>
  options: OptionsService
  vault: Vault
  clock: Clock
}

const TIMEOUT_MS = 10_000
const ANSWER_MAX = 64 * 1024
const ERROR_MAX = 300

/** One delivery attempt. Returns why it failed, without the owner's secrets. */
export const createSendAlert = ({ http, addresses, mail, accounts, options, vault, clock }: Needs) => {
  const notifiers: Record<Exclude<AlertMethod, 'email'>, HttpNotifier> = {
    ...{ webhook, feishu, dingtalk, wecom, slack, bark },
    telegram: telegram(addresses.telegram),
  }

  /** A user's mail goes to the account's current mailbox. */
  const mailboxOf = async ({ owner_id }: StoredDestination, { address }: Target) =>
    owner_id === 0 ? address : (await accounts.find(owner_id))?.email

  const sendMail = async (to: string, { language, title, lines, link }: AlertMessage) => {
    const { SystemName: systemName } = options.values()
    const button = { button: language === 'zh' ? '前往查看' : 'Have a look', link }
    await mail.send(
      to,
      layout({ language, systemName, title: titleAlone(title, { name: systemName }), blocks: [...lines, button] }),
    )
  }

  const post = async (destination: StoredDestination, target: Target, message: AlertMessage, deliveryId: number) => {
    const notifier = notifiers[notifierNameOf(destination)]
    const { url, body, headers } = notifier.request(target, message, { at: clock.now(), deliveryId })
    const { status, text } = await http.text(url, {
      // Telegram's address is set by the operator, not by the owner of the destination.
      policy: destination.private_allowed === 1 || destination.way === 'telegram' ? 'admin' : 'user',
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_MAX,
    })
    return notifier.refusal(status, text)
  }

  return async (
    destination: StoredDestination,
    message: AlertMessage,
    deliveryId: number,
  ): Promise<Refusal | undefined> => {
    try {
      const target = openTarget(vault, destination)
      if (destination.way !== 'email') {
        const refusal = await post(destination, target, message, deliveryId)
        return refusal && { ...refusal, error: atMost(withoutTarget(refusal.error, target), ERROR_MAX) }
      }
      const to = await mailboxOf(destination, target)
      if (!to) return { error: new GatewayError('alert.no_mailbox').in(message.language), final: true }
      await sendMail(to, message)
      return undefined
    } catch (error) {
      return { error: reasonFor(error, destination, message), final: isFinal(error) }
    }
  }
}

const notifierNameOf = ({ way }: StoredDestination) => {
  if (way === 'email' || !Object.hasOwn(ALERT_METHODS, way)) throw new Error(`No notifier over HTTP: ${way}`)
  // It is one of the names, and not the one without HTTP.
  return way as Exclude<AlertMethod, 'email'>
}

/** Administrators see the host and the reason; to others that would reveal names in our network. */
function reasonFor(error: unknown, { owner_id }: StoredDestination, { language }: AlertMessage) {
  if (!(error instanceof GatewayError)) throw error
  // The cause is for the server's log; here it matters who can change it.
  if (error.code === 'outbound.refused_address') return new GatewayError('alert.refused_address').in(language)
  const message = error.in(language)
  const showsCause = owner_id === 0 && error.code !== 'alert.unreadable'
  const cause = showsCause && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return atMost(`${message}${cause}`, ERROR_MAX)
}

const FINAL: readonly string[] = ['outbound.refused_address', 'mail.not_configured', 'alert.unreadable']

const isFinal = (error: unknown) => error instanceof GatewayError && FINAL.includes(error.code)
