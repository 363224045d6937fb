import { GatewayError } from '../common/errors.ts'
import { type CheckedHosts, createCheckedHosts } from '../upstream/checked-hosts.ts'
import { connectionTo, type MailSettings } from './mail-connection.ts'

export type { MailSettings } from './mail-connection.ts'

export interface MailMessage {
  /** One address. */
  to: string
  subject: string
  html: string
  text: string
}

export interface Mailer {
  /** Resolves when the server has accepted the message; any failure is `mail.failed`. */
  send(settings: MailSettings, message: MailMessage): Promise<void>
}

interface MailerNeeds {
  hosts?: CheckedHosts
  ca?: string
  implicitTlsPort?: number
  timeoutMs?: number
}

export function createMailer(needs: MailerNeeds = {}): Mailer {
  const { hosts = createCheckedHosts(), ca, implicitTlsPort = 465, timeoutMs = 10_000 } = needs

  async function deliver(settings: MailSettings, message: MailMessage) {
    const from = oneMailbox(settings.from === '' ? settings.account : settings.from)
    const to = oneMailbox(message.to)
    const [address = ''] = await hosts(settings.server, 'admin')
    // Loaded with the first mail, so that the start need not wait for it.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      ...connectionTo(address, settings, { ca, implicitTlsPort }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await transport.sendMail({
      envelope: { from, to: [to] },
      from: { name: oneLine(settings.senderName), address: from },
      to: { name: '', address: to },
      subject: oneLine(message.subject),
      html: message.html,
      text: message.text,
    })
  }

  return {
    async send(settings, message) {
      try {
        await deliver(settings, message)
      } catch (error) {
        const cause = new Error(`${settings.server}:${settings.port}: ${reasonOf(error)}`)
        throw new GatewayError('mail.failed', {}, { cause })
      }
    },
  }
}

/** A single mailbox, without anything that a mail program could read as a second one or as a header. */
function oneMailbox(text: string) {
  if (/^[^\s,;:<>()[\]\\"@\p{Cc}]+@[^\s,;:<>()\\"@\p{Cc}]+$/u.test(text)) return text
  throw new Refusal('not one e-mail address')
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

class Refusal extends Error {}

/** Codes only: a server's message may repeat what it was sent, including the password. */
function reasonOf(error: unknown) {
  if (error instanceof Refusal) return error.message
  if (error instanceof GatewayError && error.cause instanceof Error) return error.cause.message
  if (!(error instanceof Error)) return 'failed'
  const code = 'code' in error ? String(error.code) : error.name
  return 'responseCode' in error ? `${code} ${error.responseCode}` : code
}
