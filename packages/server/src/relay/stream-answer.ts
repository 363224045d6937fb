import { failureOf, type UpstreamFailure, VendorError } from '@tollgate/providers'
import { outputCosting } from '../ledger/rounding.ts'
import type { Health } from '../upstream/health.ts'
import type { Line, Upstream } from '../upstream/open.ts'
import type { Answer, Metering } from './answer.ts'
import { estimateInput } from './estimate.ts'
import { estimatedUsage } from './meter.ts'
import { priceOfUsage } from './receipt.ts'
import type { Charged, End, Running, Settle } from './settlement.ts'

interface Needs {
  running: Running
  settle: Settle
  health: Health
  upstream: Pick<Upstream, 'brokeOff'>
  line: Line
  client: AbortSignal
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
  const { running, settle, health, upstream, line, client, now } = needs
  const { meter } = answer
  const grow = growing(running, meter, now)
  let end: End | undefined
  let ending = ''
  try {
    for await (const piece of answer.pieces) {
      line.alive()
      if (piece.bytes.length > 0) {
        line.pause()
        yield piece.bytes
        line.alive()
      }
      ending += piece.ending ?? ''
      if (!(await grow())) {
        health.succeeded(running.route.id)
        end = { ...delivered(running, meter), flag: 'quota_end' }
        const charged = await settle(running, end)
        yield last(answer.failed(OUT_OF_QUOTA), charged)
        return
      }
    }
    end = delivered(running, meter)
    health.succeeded(running.route.id)
    const charged = await settle(running, end)
    yield last(ending === '' ? running.call.operation.lastFrame : ending, charged)
  } catch (error) {
    if (client.aborted) return
    const failure = failureIn(error, line)
    upstream.brokeOff(running.route, failure)
    end ??= broken(running, meter, failure.message)
    const charged = await settle(running, end)
    yield last(answer.failed(failure), charged)
  } finally {
    line.hangUp()
    // Neither ended nor failed: the client left.
    if (end === undefined) {
      health.abandoned(running.route.id)
      await settle(running, { ...delivered(running, meter), flag: 'client_abort' })
    }
  }
}

function delivered({ call }: Running, meter: Metering): End {
  return { reported: meter.reported(), counted: () => estimatedUsage(estimateInput(call), meter.counted()) }
}

/** Content that was delivered is paid for; an error before any content is a failed call. */
function broken(running: Running, meter: Metering, message: string): End {
  if (!meter.hasContent()) return { reported: undefined, counted: undefined, flag: 'upstream_error', error: message }
  return { ...delivered(running, meter), flag: 'partial' }
}

/**
 * Records progress now and then, and makes the hold larger before the answer outgrows it. False when the answer has
 * reached the end of what could be held. Each piece asks, so a comparison of two numbers has to answer nearly always.
 */
function growing({ call, quote, hold }: Running, meter: Metering, now: () => number) {
  const input = estimatedUsage(estimateInput(call), 0)
  const { factor, price } = quote
  const outputFor = (amount: number) => outputCosting(amount, input, price.rates, factor)
  const nearTheEnd = () => outputFor(Math.ceil(hold.amount() * NEARLY))
  let notedAt = now()
  let lookAt = nearTheEnd()
  let refused = false
  return async () => {
    const output = meter.counted()
    if (now() - notedAt >= PROGRESS_EVERY_MS) {
      notedAt = now()
      hold.progress(priceOfUsage({ ...input, output }, quote))
    }
    if (output < lookAt) return true
    if (refused) return false
    const used = priceOfUsage({ ...input, output }, quote)
    const grew = await hold.extend(Math.max(hold.amount(), used) * 2).catch(() => undefined)
    // The database is away: that is not the caller's fault, and the next pieces ask again.
    if (grew === undefined) lookAt = output * 2 + 1
    if (grew === true) lookAt = nearTheEnd()
    if (grew !== false) return true
    // What is held is the caller's to the last token.
    refused = true
    lookAt = outputFor(hold.amount())
    return output < lookAt
  }
}

const NEARLY = 0.8

/** The vendor told it, the watchdog ended it, or it simply stopped. */
function failureIn(error: unknown, line: Line): UpstreamFailure {
  if (error instanceof VendorError) return error.failure
  return line.signal.aborted ? SILENT : BROKEN_OFF
}

/** The cost goes in front of the last frame, as a comment: clients skip it, people and scripts can read it. */
function last(frame: string, { cost, usage, source }: Charged) {
  const facts = JSON.stringify({ cost, usage, source })
  return encoder.encode(`: tollgate ${facts}\n\n${frame}`)
}

const BROKEN_OFF = failureOf('server', 'The upstream broke off its answer')
const SILENT = failureOf('timeout', 'The upstream went silent')
const OUT_OF_QUOTA: UpstreamFailure = {
  ...failureOf('client', 'The balance does not cover the rest of this answer'),
  status: 403,
  code: 'quota_user',
}
