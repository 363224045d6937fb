import type { UpstreamFailure } from '@tollgate/providers'
import type { GatewayError } from '../common/errors.ts'
import { createSharedTimer } from '../common/shared-timer.ts'
import { type Deadline, endedByUs, type Upstream } from '../upstream/open.ts'
import { type Answer, type AnswerChunk, isEmpty } from './answer.ts'
import { growingHold } from './meter/growing-hold.ts'
import type { Quiet } from './quiet-times.ts'
import { readUntilUsage } from './read-until-usage.ts'
import type { ActiveCall, CallEnd, Charged, Settle } from './settlement.ts'
import { broken, CUT, delivered, failureIn, outOfQuotaFailure } from './stream-end.ts'
import { gatewayFailure } from './surfaces/gateway-failure.ts'

/** The call that a stream answers, and what ends it. */
export interface StreamNeeds {
  active: ActiveCall
  settle: Settle
  upstream: Pick<Upstream, 'brokeOff'>
  deadline: Deadline
  client: AbortSignal
  /** The caller requested the cost as a comment before the last frame. */
  showsCost: boolean
  /** How long an abandoned stream is read further. */
  readOnSeconds: number
  quiet: Quiet
  now(): number
}

type StreamedAnswer = Extract<Answer, { kind: 'stream' }>
type Next = IteratorResult<Uint8Array, undefined>

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const DONE: Next = { done: true, value: undefined }

/**
 * The body of a streamed answer. Each chunk passes as it arrives, and the next is read when the client has taken it, so that a slow
 * reader slows the vendor and fills no memory. The closing event is sent after the charge is durable. A client that disconnects,
 * even before the first byte, ends the vendor's stream and is charged for what the vendor reports within a few seconds, or else for
 * what was delivered. A vendor that has announced something and not yet written it may be thinking, or running a tool: it gets as
 * much time as before its answer, and the client hears meanwhile that the call is alive.
 */
export const streamAnswer = (answer: StreamedAnswer, needs: StreamNeeds): AsyncIterableIterator<Uint8Array> => {
  const { active, settle, upstream, deadline, client, showsCost, readOnSeconds: seconds, quiet, now } = needs
  const { meter } = answer
  const hold = growingHold(active, meter, now)
  let started = false
  let reading: Promise<AnswerChunk | undefined> | undefined
  /** The chunk of a vendor that is working, for which the client waits. */
  let working: Promise<Next> | undefined
  let ending = ''
  /** The call is being settled, or was: a second caller has nothing to do. */
  let over = false
  /** What a revoked caller still gets. */
  let closing: Promise<Next> | undefined

  const last = (charged: Charged, frame: string): Next => {
    const text = showsCost ? costComment(charged) + frame : frame
    return text === '' ? DONE : { done: false, value: encoder.encode(text) }
  }

  const close = async (end: () => CallEnd, frame: () => string): Promise<Next> => {
    over = true
    const charged = await settle(active, end)
    return last(charged, frame())
  }

  /** An answer without frames can only be cut off. */
  const cutIfBare = (closed: Promise<Next>, { message }: UpstreamFailure) =>
    answer.bare ? closed.then(() => Promise.reject(new Error(message))) : closed

  const completed = ({ closed }: { closed: boolean }) => {
    if (closed) deadline.clear()
    else deadline.abort()
    active.lease.succeeded()
    return close(
      () => ({ ...delivered(active, meter), outcome: 'success' }),
      () => (ending === '' ? active.call.operation.stream.lastFrame : ending),
    )
  }

  const outOfQuota = () => {
    deadline.abort()
    active.lease.succeeded()
    return close(
      () => ({ ...delivered(active, meter), outcome: 'access', flag: 'quota_end' }),
      () => answer.failed(outOfQuotaFailure(active)),
    )
  }

  const brokenOff = (error: unknown) => {
    const ended = endedByUs(deadline.signal)
    if (ended !== undefined) return cutShort(ended)
    const failure = answer.mask.failure(failureIn(error, deadline))
    deadline.abort()
    upstream.brokeOff(active, failure)
    const closed = close(
      () => broken(active, meter, failure),
      () => answer.failed(failure),
    )
    return cutIfBare(closed, failure)
  }

  /** The process stops before the answer is complete. */
  const cutShort = (reason: GatewayError) => {
    const failure = gatewayFailure(reason, active.context.language)
    deadline.abort()
    return close(
      () => ({ ...broken(active, meter, failure), flag: 'restart' }),
      () => answer.failed(failure),
    )
  }

  /** Nothing more is delivered; what the vendor reports within a few seconds is charged. */
  const abandon = (end: Pick<CallEnd, 'outcome' | 'flag'>) => {
    over = true
    return settle(active, async () => {
      try {
        const output = meter.counted()
        const mayReport = ending === '' && meter.reports !== false && meter.hasContent()
        if (mayReport && meter.reported() === undefined) await readUntilUsage(answer, { reading, seconds })
        return { ...delivered(active, meter, output), ...end }
      } finally {
        deadline.abort()
      }
    })
  }

  const left = async () => {
    // Nobody waits for an answer; if the settlement fails, it has logged why.
    if (!over) await abandon({ outcome: 'canceled', flag: 'client_abort' }).catch(() => {})
  }

  const revoked = (reason: GatewayError) => {
    if (over) return
    const failure = gatewayFailure(reason, active.context.language)
    const charging = abandon({ outcome: 'access', flag: 'revoked' })
    closing = cutIfBare(
      charging.then((charged) => last(charged, answer.failed(failure))),
      failure,
    )
    // The client may be gone, and then nobody reads it.
    closing.catch(() => {})
  }

  /** The call is over: the last frame, if there is one, and then nothing. */
  const afterEnd = (): Next | Promise<Next> => {
    const next = closing ?? DONE
    closing = undefined
    return next
  }
  deadline.outliveClient()
  deadline.onRevoked(revoked)
  if (client.aborted) void left()
  else client.addEventListener('abort', () => void left(), { once: true })

  const read = () => {
    reading = answer.next(hold.outputMax())
    return reading
  }

  const failed = async (error: unknown) => {
    if (over) return afterEnd()
    try {
      return await brokenOff(error)
    } catch (bug) {
      if (!over) await abandon({ outcome: 'upstream_error', flag: 'partial' })
      throw bug
    }
  }

  const isCut = () => ending === '' && meter.finished?.() === false

  /** True when the hold covers the next chunk. A finished answer needs no more. */
  const grown = () => ending !== '' || hold.isEnough()

  /** What is sent for a received chunk; undefined for nothing. */
  const shown = (piece: AnswerChunk | undefined): Next | Promise<Next> | undefined => {
    if (over) return afterEnd()
    if (piece === undefined) return (isCut() ? brokenOff(CUT) : completed({ closed: true })).catch(failed)
    if (piece.ending !== undefined) ending += piece.ending
    if (piece.bytes.length === 0) return undefined
    deadline.pause()
    return { done: false, value: piece.bytes }
  }

  /** Sets the time for the next chunk; true when it may take long. */
  const allowTime = () => {
    const isLong = meter.announced()
    if (isLong) deadline.reopen()
    else deadline.extend()
    return isLong
  }

  /** Everything that is not simply the next chunk. */
  const extendAndRead = async (enough: boolean | Promise<boolean>): Promise<Next> => {
    for (;;) {
      const isEnough = await enough
      if (over) return afterEnd()
      if (!isEnough) return outOfQuota()
      if (ending !== '') {
        const { text, closed } = await restOf(answer)
        if (over) return afterEnd()
        ending += text
        return isEmpty(meter) ? brokenOff(CUT) : completed({ closed })
      }
      const next = await shown(await read())
      if (next !== undefined) return next
      allowTime()
      enough = grown()
    }
  }

  const keepAlive = answer.bare ? undefined : active.call.operation.stream.keepAlive

  /** The chunk, or a frame that says nothing when it takes long. */
  const kept = (chunk: Promise<Next>): Promise<Next> => {
    if (keepAlive === undefined) return chunk
    working = chunk
    return quiet(chunk).then((isQuiet) => {
      if (isQuiet && !over) return { done: false, value: encoder.encode(keepAlive) }
      working = undefined
      return chunk
    })
  }

  const onChunk = (piece: AnswerChunk | undefined) => {
    try {
      const next = shown(piece)
      if (next !== undefined) return next
      allowTime()
      const chunk = extendAndRead(grown()).catch(failed)
      return working === undefined ? kept(chunk) : chunk
    } catch (error) {
      return failed(error)
    }
  }

  // Written by hand instead of a generator or async function, which would cost every chunk a few microseconds more.
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,

    next() {
      if (working !== undefined) return kept(working)
      if (over) return Promise.resolve(afterEnd())
      try {
        const isLong = allowTime()
        // What is already here is sent in any case.
        const enough = !started || grown()
        started = true
        const chunk =
          enough === true && ending === '' ? read().then(onChunk, failed) : extendAndRead(enough).catch(failed)
        return isLong ? kept(chunk) : chunk
      } catch (error) {
        return failed(error)
      }
    },

    return() {
      void left()
      return Promise.resolve(DONE)
    },
  }
  return body
}

const late = createSharedTimer(200)

/**
 * Only a mark follows an ending, and the caller does not wait long for it. A vendor that closes at once leaves its connection for
 * reuse; one that lingers or breaks off now does not matter any more.
 */
async function restOf(answer: StreamedAnswer): Promise<{ text: string; closed: boolean }> {
  const tooLate = late().then(() => 'late' as const)
  const next = () =>
    answer.next(Number.POSITIVE_INFINITY).then(
      (piece) => piece ?? ('closed' as const),
      () => 'broken' as const,
    )
  let text = ''
  for (;;) {
    const piece = await Promise.race([next(), tooLate])
    if (typeof piece === 'string') return { text, closed: piece === 'closed' }
    text += decoder.decode(piece.bytes) + (piece.ending ?? '')
  }
}

/** For people and scripts: the headers were sent long before the cost is known. */
const costComment = ({ cost, usage, source }: Charged) => `: tollgate ${JSON.stringify({ cost, usage, source })}\n\n`
