import {
  type Access,
  failureOf,
  type Provider,
  type TaskFollower,
  type UpstreamRequest,
  VendorError,
} from '@tollgate/providers'
import type { Http } from './http.ts'
import { asHeaders } from './http1/header-lines.ts'
import { type Reply, readJson, readText } from './reply.ts'

/** What became of a task: the body of its result, or the stream in which the result comes. */
export type Outcome = { body: unknown } | { stream: Reply; cancel(): void }

interface Task {
  follower: TaskFollower
  access: Access
  provider: Provider
  /** The caller wants a stream. */
  stream: boolean
}

const GROWTH = 1.5
const PAUSE_MAX_MS = 5_000
const ASK_MS = 30_000
/** A question that fails says nothing about the task: to give it up at once would pay for it twice. */
const FAILURES_MAX = 3
const BODY_MAX = 32 * 1024 * 1024
const ERROR_BODY_MAX = 64 * 1024

/**
 * Follows a task from its receipt to its end, with pauses that grow. A task that nobody waits for any more, because the
 * caller left, it took too long or we lost sight of it, is taken back where the vendor can.
 */
export const followTask = async (
  http: Http,
  { follower, access, provider, stream }: Task,
  receipt: Reply,
  signal: AbortSignal,
): Promise<Outcome> => {
  let body: unknown = await readJson(receipt)
  const cancel = () => takeBack(http, follower.cancel?.(body, access))
  const ask = (request: UpstreamRequest) => asked(http, provider, request, signal)
  try {
    let waitedMs = 0
    for (let pauseMs = follower.pauseMs; ; pauseMs = Math.min(pauseMs * GROWTH, PAUSE_MAX_MS)) {
      const request = follower.next(body, access, stream)
      if (request === undefined) return { body }
      if (!opensStream(request)) {
        if (waitedMs >= follower.limitMs) throw new VendorError(failureOf('timeout', 'The task took too long'))
        await pause(pauseMs, signal)
        waitedMs += pauseMs
      }
      const answer = await persistently(() => ask(request), signal, pauseMs)
      if (isStream(answer)) return { stream: answer, cancel }
      body = parsed(await readText(answer, BODY_MAX))
    }
  } catch (error) {
    cancel()
    throw error
  }
}

const opensStream = ({ headers }: UpstreamRequest) => headers.accept === 'text/event-stream'
const isStream = ({ headers }: Reply) =>
  headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true

async function asked(http: Http, provider: Provider, request: UpstreamRequest, signal: AbortSignal) {
  const { url, method, headers } = request
  const answer = await http.request(url, { policy: 'admin', method, headers, signal, timeoutMs: ASK_MS })
  if (answer.ok) return answer
  const text = (await readText(answer, ERROR_BODY_MAX)) ?? ''
  throw new VendorError(provider.explain(answer.status, text, asHeaders(answer.headers)))
}

/** Tries again what failed by accident; a refusal stays one. */
async function persistently(ask: () => Promise<Reply>, signal: AbortSignal, pauseMs: number) {
  for (let failures = 1; ; failures++) {
    try {
      return await ask()
    } catch (error) {
      const accident = !(error instanceof VendorError) || error.failure.blame === 'transient'
      if (signal.aborted || !accident || failures >= FAILURES_MAX) throw error
      await pause(pauseMs, signal)
    }
  }
}

/** Nobody waits for the answer, and it may be too late: what counts is that the vendor was told. */
function takeBack(http: Http, request: UpstreamRequest | undefined) {
  if (request === undefined) return
  const { url, method, headers } = request
  http.text(url, { policy: 'admin', method, headers, timeoutMs: ASK_MS }).catch(() => {})
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw new VendorError(failureOf('server', 'The upstream answered with something that is not JSON', { status: 502 }))
  }
}

function pause(ms: number, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const leave = () => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  })
}
