import type { OptionKey } from '@tollgate/contract'

/** A secret that is sent to an address from another option; the server binds it to that address. */
export const ADDRESS_OF: Partial<Record<OptionKey, OptionKey>> = {
  SMTPToken: 'SMTPServer',
  WeChatServerToken: 'WeChatServerAddress',
  MessagePusherToken: 'MessagePusherAddress',
}

export interface OptionChange {
  key: OptionKey
  value: string
  /** The value that was shown when the change began. */
  base?: string | undefined
}

export interface Failed {
  key: OptionKey
  /** Undefined when it was not sent, because the address it belongs to was refused. */
  error: unknown
  skipped: boolean
}

/** One call per option, in order. A failure does not stop the others. */
export async function saveOneByOne(changes: readonly OptionChange[], put: (change: OptionChange) => Promise<unknown>) {
  const saved: OptionChange[] = []
  const failed: Failed[] = []
  for (const change of changes) {
    const { key } = change
    // A new secret beside a refused address would be stored for the old one, and sent there.
    if (failed.some((other) => other.key === ADDRESS_OF[key])) {
      failed.push({ key, error: undefined, skipped: true })
      continue
    }
    try {
      await put(change)
      saved.push(change)
    } catch (error) {
      failed.push({ key, error, skipped: false })
    }
  }
  return { saved, failed }
}

/** Whether a secret has to be entered again: its server has changed. */
export function secretMoved(key: OptionKey, before: (key: OptionKey) => string, now: (key: OptionKey) => string) {
  const address = ADDRESS_OF[key]
  return address !== undefined && hostOf(before(address)) !== hostOf(now(address))
}

function hostOf(address: string) {
  const origin = URL.parse(address)?.origin ?? 'null'
  return origin === 'null' ? address.trim().toLowerCase() : origin
}
