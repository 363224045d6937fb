import { z } from 'zod'
import { chosenLocale } from '../lib/locale.ts'
import { SERVER_ADDRESS } from './address.ts'
import { reach } from './reach.ts'

export interface RelayCall {
  path: string
  /** With the key: a session counts for nothing here. */
  headers: Record<string, string>
  body: object
  signal: AbortSignal
}

export interface RelayAnswer {
  /** False for a refusal, whose sentence is `refusal`. */
  ok: boolean
  status: number
  body: unknown
  refusal: string
  requestId: string
  /** In quota; undefined where the gateway did not say. */
  cost: number | undefined
  ms: number
}

/**
 * A call of the relay with somebody's key, as a program would send it. Refusals are answers, too: a key that is refused
 * says nothing about the session. Undefined when it was aborted.
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

/** The three families of APIs have it at the same place. */
const Refusal = z.object({ error: z.object({ message: z.string() }) })

/** Without the request id that stands behind it for those who have nothing else. */
const sentenceOf = (answer: unknown) =>
  Refusal.safeParse(answer).data?.error.message.replace(/ \(request id: [^)]*\)$/, '')

const wholeNumber = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : undefined)
