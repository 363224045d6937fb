import { failureOf, type Provider, type TaskFollower, type UpstreamRequest, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../common/clock.ts'
import type { Credentials } from './credentials.ts'
import { type Http, timeLimit } from './http.ts'
import { type Reply, readJson, readText } from './reply.ts'
import { withHeaderRules } from './request-rules.ts'
import { vendorRefusal } from './vendor-refusal.ts'

/** The result of a task: its body, or the stream that contains it. */
export type Outcome = { body: unknown } | { stream: Reply; cancel(): void }

interface Needs {
  http: Http
  credentials: Credentials
  clock: Clock
  /** The timeout of one poll. */
  pollMs?: number
}

interface Task {
  follower: TaskFollower
  route: Route
  provider: Provider
  /** The caller wants a stream. */
  stream: boolean
}

const GROWTH = 1.5
const PAUSE_MAX_MS = 5_000
const POLL_TIMEOUT_MS = 30_000
/** A failed poll says nothing about the task: giving up at once would pay for it twice. */
const FAILURES_MAX = 3
const BODY_MAX = 32 * 1024 * 1024
const ERROR_BODY_MAX = 64 * 1024

/**
 * Polls a task from its id to its end, with growing pauses. A task that nobody waits for any more, because the client disconnected,
 * it took too long or polling failed, is cancelled if the vendor supports it.
 */
export const followTask = async (
  needs: Needs,
  { follower, route, provider, stream }: Task,
  receipt: Reply,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { http, credentials } = needs
  let body: unknown = await readJson(receipt)
  // The answer does not matter, and it may be too late: it is enough to have notified the vendor.
  const cancel = () =>
    void credentials
      .withAccess(route, async (access) => cancelTask(http, route, follower.cancel?.(body, access)))
      .catch(() => {})
  let waitedMs = 0
  /** Undefined when the current answer is the result. A token may expire while the task runs. */
  const nextAnswer = (pauseMs: number) =>
    credentials.withAccess(route, async (access) => {
      const request = follower.next(body, access, stream)
      if (request === undefined) return undefined
      if (!opensStream(request)) {
        if (waitedMs >= follower.limitMs) throw new VendorError(failureOf('timeout', 'The task took too long'))
        await pause(pauseMs, signal)
        waitedMs += pauseMs
      }
      const ruled = { ...request, headers: withHeaderRules(request.headers, route.rules) }
      return withRetries(() => poll(needs, { provider, route }, ruled, signal), signal, pauseMs)
    })
  try {
    for (let pauseMs = follower.pauseMs; ; pauseMs = Math.min(pauseMs * GROWTH, PAUSE_MAX_MS)) {
      const answer = await nextAnswer(pauseMs)
      if (answer === undefined) return { body }
      if ('stream' in answer) return { ...answer, cancel }
      body = parsed(answer.text)
    }
  } catch (error) {
    cancel()
    throw error
  }
}

const opensStream = ({ headers }: UpstreamRequest) => headers.accept === 'text/event-stream'
const isStream = ({ headers }: Reply) =>
  headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true

type PollResult = { stream: Reply } | { text: string | undefined }

/** Anything but a stream must arrive completely in time. */
async function poll(
  { http, clock, pollMs = POLL_TIMEOUT_MS }: Needs,
  { provider, route: { network } }: Pick<Task, 'provider' | 'route'>,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<PollResult> {
  const { url, method, headers } = request
  const limit = timeLimit(pollMs, signal)
  try {
    const options = { policy: 'admin' as const, method, headers, ...network, signal: limit.signal }
    const answer = await http.request(url, { ...options, timeoutMs: false })
    if (answer.ok && isStream(answer)) return { stream: answer }
    const text = await readText(answer, answer.ok ? BODY_MAX : ERROR_BODY_MAX)
    if (answer.ok) return { text }
    throw vendorRefusal(provider, { status: answer.status, headers: answer.headers, body: text ?? '' }, clock.now())
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error
    throw new VendorError(failureOf('timeout', 'The upstream did not answer in time'))
  } finally {
    limit.lift()
  }
}

/** Retries transient failures; a refusal is final. */
async function withRetries(request: () => Promise<PollResult>, signal: AbortSignal, pauseMs: number) {
  for (let failures = 1; ; failures++) {
    try {
      return await request()
    } catch (error) {
      const isTransient = !(error instanceof VendorError) || error.failure.blame === 'transient'
      if (signal.aborted || !isTransient || failures >= FAILURES_MAX) throw error
      await pause(pauseMs, signal)
    }
  }
}

async function cancelTask(http: Http, { rules, network }: Route, request: UpstreamRequest | undefined) {
  if (request === undefined) return
  const { url, method } = request
  const headers = withHeaderRules(request.headers, rules)
  await http.text(url, { policy: 'admin', method, headers, ...network, timeoutMs: POLL_TIMEOUT_MS })
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
