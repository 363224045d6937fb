import type { AlertMessage } from '../alert-message.ts'

/** The address and secret of a destination. */
export interface Target {
  address: string
  secret: string
}

export interface NotifierRequest {
  url: string
  body: string
  headers?: Record<string, string>
}

export interface Refusal {
  error: string
  /** A retry would be refused again. */
  final: boolean
}

/** How a service takes messages over HTTP, and how it reports errors. */
export interface HttpNotifier {
  request(target: Target, message: AlertMessage, context: SendContext): NotifierRequest
  /** Undefined when the message was accepted. */
  refusal(status: number, text: string): Refusal | undefined
}

export interface SendContext {
  /** Unix milliseconds. */
  at: number
  /** The same for every attempt of one message. */
  deliveryId: number
}

const RETRIABLE_STATUSES = [408, 425, 429]

/** Judged by the status alone. */
export const statusRefusal = (status: number, message: string): Refusal | undefined => {
  if (status >= 200 && status < 300) return undefined
  const isFinal = status >= 400 && status < 500 && !RETRIABLE_STATUSES.includes(status)
  return { error: message === '' ? `HTTP ${status}` : `HTTP ${status}: ${message}`, final: isFinal }
}

/** The members of a JSON object; none for anything else. */
export function members(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** Truncated to the service's limit, without splitting a character. */
export const atMost = (text: string, max: number) =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
