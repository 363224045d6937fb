import { z } from 'zod'
import { chosenLocale } from '../lib/format/locale.ts'
import { SERVER_ADDRESS } from './address.ts'
import { reach } from './reach.ts'

export interface RelayCall {
  path: string
  /** Contains the key: a session is not accepted here. */
  headers: Record<string, string>
  body: object
  signal: AbortSignal
}

export interface RelayAnswer {
  /** False for an error, whose message is `refusal`. */
  ok: boolean
  status: number
  body: unknown
  refusal: string
  requestId: string
  /** In quota; undefined when the gateway did not report it. */
  cost: number | undefined
  ms: number
}

/**
 * A relay call with a user's key, as a program would send it. Errors are results too: a rejected key says nothing about the session.
 * Undefined when it was aborted.
 */
export async function relayCall({ path, headers, body, signal }: RelayCall): Promise<RelayAnswer | undefined> {
  const startedAt = performance.now()
  try {
    const response = await reach(SERVER_ADDRESS + path, {
      method: 'POST',
      credentials: 'omit',
      headers: { ...headers, 'content-type': 'application/json', 'accept-language': chosenLocale() },
      body: JSON.stringify(body),
      signal,
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (signal.aborted) return undefined
    return {
      ok: response.ok,
      status: response.status,
      body: answer,
      refusal: sentenceOf(answer) ?? (response.statusText || String(response.status)),
      requestId: response.headers.get('x-request-id') ?? '',
      cost: wholeNumber(response.headers.get('x-tollgate-cost')),
      ms: Math.round(performance.now() - startedAt),
    }
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** The three API families have it at the same place. */
const Refusal = z.object({ error: z.object({ message: z.string() }) })

/** Without the request id that follows it for clients that show nothing else. */
const sentenceOf = (answer: unknown) =>
  Refusal.safeParse(answer).data?.error.message.replace(/ \(request id: [^)]*\)$/, '')

const wholeNumber = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined)
