import { failureOf, type UpstreamFailure, VendorError } from '@tollgate/providers'
import type { Health } from '../upstream/health.ts'
import { estimateInput } from './estimate.ts'
import type { Answer, Metering } from './lanes.ts'
import { estimatedUsage } from './meter.ts'
import { priceOfUsage } from './receipt.ts'
import type { Charged, End, Running, Settle } from './settlement.ts'
import type { Watched } from './watchdog.ts'

interface Needs {
  running: Running
  settle: Settle
  health: Health
  watched: Watched
  abort: AbortController
  now(): number
}

const PROGRESS_EVERY_MS = 2000
const encoder = new TextEncoder()

type StreamedAnswer = Extract<Answer, { kind: 'stream' }>

/**
 * The body of a streamed answer. Each piece goes on as it comes, and the next is read when the client has taken it, so
 * that a slow reader slows the vendor and fills no memory. The closing event is sent after the charge is durable. A
 * client that leaves ends the generator, which ends the vendor's stream and settles what was received.
 */
export async function* streamAnswer(answer: StreamedAnswer, needs: Needs): AsyncGenerator<Uint8Array> {
  const { running, settle, health, watched, abort, now } = needs
  const { meter } = answer
  const grow = growing(running, meter, now)
  let end: End | undefined
  let ending = ''
  try {
    for await (const piece of answer.pieces) {
      watched.alive()
      if (piece.bytes.length > 0) yield piece.bytes
      ending += piece.ending ?? ''
      if (!(await grow())) {
        end = { ...delivered(running, meter), flag: 'quota_end' }
        const charged = await settle(running, end)
        yield last(answer.failed(OUT_OF_QUOTA), charged)
        return
      }
    }
    end ??= delivered(running, meter)
    health.succeeded(running.route.id)
    const charged = await settle(running, end)
    yield last(ending === '' ? running.call.operation.lastFrame : ending, charged)
  } catch (error) {
    const failure = error instanceof VendorError ? error.failure : BROKEN_OFF
    end ??= broken(running, meter, failure.message)
    const charged = await settle(running, end)
    yield last(answer.failed(failure), charged)
  } finally {
    watched.done()
    abort.abort()
    // Neither ended nor failed: the client left.
    if (end === undefined) {
      health.abandoned(running.route.id)
      await settle(running, { ...delivered(running, meter), flag: 'client_abort' })
    }
  }
}

function delivered({ call }: Running, meter: Metering): End {
  return { reported: meter.reported(), counted: estimatedUsage(estimateInput(call), meter.counted()) }
}

/** Content that was delivered is paid for; an error before any content is a failed call. */
function broken(running: Running, meter: Metering, message: string): End {
  if (!meter.hasContent()) return { reported: undefined, counted: undefined, flag: 'upstream_error', error: message }
  return { ...delivered(running, meter), flag: 'partial' }
}

/** Records progress now and then, and makes the hold larger before the answer outgrows it. False when it may not. */
function growing({ call, quote, hold }: Running, meter: Metering, now: () => number) {
  const input = estimateInput(call)
  let notedAt = now()
  return async () => {
    if (now() - notedAt < PROGRESS_EVERY_MS) return true
    notedAt = now()
    const used = priceOfUsage(estimatedUsage(input, meter.counted()), quote)
    hold.progress(used)
    if (used * 10 < hold.amount() * 8) return true
    return hold.extend(hold.amount() * 2 + 1)
  }
}

/** The cost goes in front of the last frame, as a comment: clients skip it, people and scripts can read it. */
function last(frame: string, { cost, usage, source }: Charged) {
  const facts = JSON.stringify({ cost, usage, source })
  return encoder.encode(`: tollgate ${facts}\n\n${frame}`)
}

const BROKEN_OFF = failureOf('server', 'The upstream broke off its answer')
const OUT_OF_QUOTA: UpstreamFailure = {
  ...failureOf('client', 'The balance does not cover the rest of this answer'),
  status: 403,
  code: 'quota_user',
}
