import { failureOf, inputTokens, outputTokens, type UpstreamFailure } from '@tollgate/providers'
import { GatewayError } from '../../common/errors.ts'
import { createSharedTimer } from '../../common/shared-timer.ts'
import { type Deadline, endedByUs } from '../../upstream/open.ts'
import type { SocketEnd, UpstreamSocket } from '../../upstream/sockets.ts'
import type { RealtimeMeter } from '../meter/realtime-meter.ts'
import { priceOfUsage } from '../meter/receipt.ts'
import type { ActiveCall, CallEnd, Settle } from '../settlement.ts'
import { gatewayFailure } from '../surfaces/gateway-failure.ts'
import { insufficientQuota } from '../surfaces/insufficient-quota.ts'
import type { ClientSocket, Conversation } from './client-socket.ts'

interface Needs {
  active: ActiveCall
  vendor: UpstreamSocket
  deadline: Deadline
  meter: RealtimeMeter
  settle: Settle
  /** The vendor broke off. */
  brokeOff(failure: UpstreamFailure): void
}

/** How it ends: what is settled, and what the client receives. */
interface Ending {
  end: Partial<CallEnd> & Pick<CallEnd, 'outcome'>
  failure?: UpstreamFailure
  code: number
}

/** How much may be queued for the vendor; then the client is not read until half of it was sent. */
const WAITING_MAX = 1024 * 1024
const POLL_MS = 20

/** If the database is unreachable, usage is not delayed forever; the settlement covers it. */
const GRACE_MS = 2000
const late = createSharedTimer(GRACE_MS)
const unknown = () => undefined

/**
 * Messages pass unchanged in both directions, with back pressure. The hold grows with usage: it covers that, plus the price of the
 * most expensive response so far. The client learns that a response is done when its cost is recorded. However the conversation
 * ends, it is settled once, and the last message to the client follows the settlement.
 */
export const startConversation = ({ active, vendor, deadline, meter, settle, brokeOff }: Needs): Conversation => {
  let client: ClientSocket | undefined
  let over = false
  const grow = growing(active, meter)
  /** What waits for the ledger, and everything after it. */
  let behind: Promise<void> | undefined

  const finish = async ({ end, failure, code }: Ending) => {
    if (over) return
    over = true
    vendor.close(1000)
    // If it fails, it has logged why, and both sockets are closed all the same.
    await settle(active, () => ({ ...meter.end(), ...end })).catch(() => {})
    await behind
    deadline.abort()
    if (failure !== undefined) client?.send(errorEvent(failure, active.context.requestId))
    client?.close(code, failure?.message.slice(0, 100) ?? '')
  }

  const onVendorMessage = (message: string | Uint8Array) => {
    deadline.extend()
    const noted =
      typeof message === 'string' && meter.onVendorMessage(message)
        ? Promise.race([grow(), late().then(unknown)])
        : undefined
    if (noted === undefined && behind === undefined) return deliver(message)
    const turn = inTurn(message, noted, behind)
      .catch(unmetered)
      .finally(() => {
        if (behind === turn) behind = undefined
      })
    behind = turn
  }

  /** A bug: a conversation that cannot be metered must not go on for nothing. */
  const unmetered = (bug: unknown) => {
    const failure = gatewayFailure(new GatewayError('server.internal'), active.context.language)
    void finish({ end: { outcome: 'upstream_error', flag: 'partial', reason: String(bug) }, failure, code: 1011 })
  }

  const whileOpen = (onMessage: (message: string | Uint8Array) => void) => (message: string | Uint8Array) => {
    if (over) return
    try {
      onMessage(message)
    } catch (bug) {
      unmetered(bug)
    }
  }

  const inTurn = async (message: string | Uint8Array, noted: Noted | undefined, before: Promise<void> | undefined) => {
    await before
    const covered = await noted
    deliver(message)
    if (covered === false) endWhenSpent()
  }

  const deliver = (message: string | Uint8Array) => {
    if ((client?.send(message) ?? 0) >= 0) return
    vendor.pause()
    deadline.pause()
  }

  const endWhenSpent = () =>
    void finish({ end: { outcome: 'access', flag: 'quota_end' }, failure: outOfQuota(active), code: 1008 })

  const vendorLeft = ({ code, clean }: SocketEnd) => {
    if (over) return
    const ended = endedByUs(deadline.signal)
    if (ended !== undefined) return endedHere(ended)
    if (deadline.signal.aborted)
      return void finish({ end: { outcome: 'timeout', flag: 'time_out' }, failure: timeOut(deadline), code: 1001 })
    if (clean && code <= 1001) return void finish({ end: { outcome: 'success' }, code: 1000 })
    brokeOff(BROKEN_OFF)
    void finish({ end: brokenEnd(meter), failure: BROKEN_OFF, code: 1011 })
  }

  const endedHere = (reason: GatewayError) => {
    const failure = gatewayFailure(reason, active.context.language)
    const isRestart = reason.code === 'relay.restarting'
    void finish(
      isRestart
        ? { end: { outcome: 'upstream_error', flag: 'restart' }, failure, code: 1012 }
        : { end: { outcome: 'access', flag: 'revoked' }, failure, code: 1008 },
    )
  }

  const waitForVendor = () => {
    if (over || vendor.waiting() < WAITING_MAX / 2) return client?.resume()
    setTimeout(waitForVendor, POLL_MS)
  }

  return {
    onOpen(socket) {
      client = socket
      vendor.listen({ message: whileOpen(onVendorMessage), closed: vendorLeft })
      vendor.resume()
    },
    onMessage: whileOpen((message) => {
      deadline.extend()
      if (typeof message === 'string') meter.sent(message)
      vendor.send(message)
      if (vendor.waiting() < WAITING_MAX) return
      client?.pause()
      setTimeout(waitForVendor, POLL_MS)
    }),
    drained() {
      deadline.extend()
      vendor.resume()
    },
    // A properly closed socket ends the conversation; one that vanished was broken off.
    left: (code) =>
      void finish({
        end: code === 1006 ? { outcome: 'canceled', flag: 'client_abort' } : { outcome: 'success' },
        code,
      }),
  }
}

/** False when usage exceeded what could be held; undefined when the ledger was too slow to say so. */
type Noted = Promise<boolean | undefined>

/** Resolves when usage is recorded, with false when it exceeded what could be held. */
function growing({ hold, quote, pass }: ActiveCall, meter: RealtimeMeter) {
  let costliest = hold.amount()
  let before = 0
  return async () => {
    pass?.used(inputTokens(meter.usage()) + outputTokens(meter.usage()))
    const used = priceOfUsage(meter.usage(), quote) + meter.beside()
    costliest = Math.max(costliest, used - before)
    before = used
    const noted = hold.progress(used)
    const isCovered = used + costliest <= hold.amount()
    // A database outage is not the caller's fault: the next response asks again.
    const isLast = used >= hold.amount()
    const grew = isCovered || (await hold.extend(used + costliest, { isLast }).catch(() => true))
    await noted
    return grew || used < hold.amount()
  }
}

/** Without any output it was a failed call. */
function brokenEnd(meter: RealtimeMeter): Ending['end'] {
  const outcome = 'upstream_error'
  const nothing = Object.values(meter.usage()).every((tokens) => tokens === 0)
  return nothing
    ? { reported: undefined, counted: undefined, outcome, flag: 'upstream_error', error: BROKEN_OFF.message }
    : { outcome, flag: 'partial' }
}

const BROKEN_OFF = failureOf('server', 'The upstream broke off the conversation')

const outOfQuota = ({ context }: ActiveCall) =>
  insufficientQuota(new GatewayError('quota.rest').in(context.language), 'openai')

function timeOut({ signal }: Deadline) {
  const reason: unknown = signal.reason
  return failureOf('timeout', reason instanceof Error ? reason.message : 'The conversation took too long')
}

/** The protocol's error event. */
function errorEvent({ type, code, message }: UpstreamFailure, requestId: string) {
  const withRequestId = `${message} (request id: ${requestId})`
  return JSON.stringify({
    type: 'error',
    event_id: `event_${requestId}`,
    error: { type, code, message: withRequestId, param: null, event_id: null },
  })
}
