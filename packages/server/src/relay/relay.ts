import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { bodyRoom } from '../common/body-room.ts'
import { monotonicMs } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { OpenFiles } from '../common/open-files.ts'
import type { CallLedger } from '../ledger/call-ledger.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Recorder } from '../recordings/recorder.ts'
import type { Health } from '../upstream/health.ts'
import type { KeyPools } from '../upstream/key-pools.ts'
import type { AttemptNeeds, Upstream } from '../upstream/open.ts'
import type { Affinity } from './affinity.ts'
import { underName } from './answer.ts'
import { createCallCandidates } from './call-candidates.ts'
import { type Keys, keyParts, presentedKey, type RelayCaller } from './caller/keys.ts'
import type { FilesAt } from './files-at.ts'
import { endedFor } from './lanes/chat-ends.ts'
import { attemptFor } from './lanes/lanes.ts'
import type { RecentItems } from './lanes/recent-items.ts'
import { createCallQuotes } from './meter/call-quote.ts'
import { countResponse } from './meter/count-response.ts'
import { createCallModels } from './models/call-models.ts'
import { type FallbackModel, withFallbacks } from './models/fallbacks.ts'
import { type AttemptOptions, createOpenCall } from './open-call.ts'
import { outcomeOfError } from './outcome.ts'
import type { Quiet } from './quiet-times.ts'
import type { RateLimiting } from './rate-limits/rate-limits.ts'
import type { RequestContext } from './request-context.ts'
import { answerHeaders, completeResponse, streamResponse } from './respond.ts'
import type { Settle } from './settlement.ts'
import { type AdmittedCall, createStartCall } from './start-call.ts'
import { type Call, readCall } from './surfaces/call.ts'
import type { Operation, PathHints } from './surfaces/operation.ts'
import { relayHeaders } from './surfaces/render-error.ts'
import type { Watchdog } from './timeouts/watchdog.ts'

interface Needs extends AttemptNeeds {
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  ledger: CallLedger
  budgets: ActiveBudgets
  rateLimiting: RateLimiting
  upstream: Upstream
  health: Health
  keyPools: KeyPools
  watchdog: Watchdog
  settle: Settle
  items: RecentItems
  affinity: Affinity
  openFiles: OpenFiles
  quiet: Quiet
  recorder: Pick<Recorder, 'begin'>
  /** Where the uploaded files are to which a call of Google's API refers; undefined if it refers to none. */
  filesOf(caller: RelayCaller, body: Call['body']): Promise<FilesAt | undefined>
  /** Starts a background response; resolves when the vendor has accepted it. */
  startBackground(caller: RelayCaller, context: RequestContext, call: Call, requestedModel: string): Promise<object>
}

/** The operation and what its path says. */
interface Endpoint {
  operation: Operation
  hints: PathHints
}

export type Relay = ReturnType<typeof createRelay>

/**
 * A relayed call, in this order: authenticate, find channels, quote, count, hold, open, answer, settle. There is one way out:
 * whatever happens, the hold is settled once, with the actual usage; a failed call used 0.
 */
export const createRelay = (needs: Needs) => {
  const { keys, catalog, options, upstream, settle, http, sockets, credentials } = needs
  const { items, clock, quiet, recorder, startBackground, filesOf } = needs

  const models = createCallModels(needs)
  const quoteCall = createCallQuotes(catalog)
  const candidates = createCallCandidates({ ...needs, models })
  const startCall = createStartCall({ ...needs, candidates, quoteCall })
  const open = createOpenCall({ ...needs, quoteCall })

  const record = (caller: RelayCaller, { requestId }: RequestContext, { name }: Operation, presented = '') => {
    const { userId, tokenId, recording: settings } = caller
    const { key } = keyParts(presented)
    return settings && recorder.begin({ requestId, userId, tokenId, operation: name, key, settings })
  }

  /** Authenticates the caller and resolves the model. */
  const admit = async (
    context: RequestContext,
    key: string | undefined,
    read: (caller: RelayCaller) => Call | Promise<Call>,
  ): Promise<AdmittedCall> => {
    const startedAt = clock.now()
    const startedMs = monotonicMs(clock)
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const caller = await keys.authenticate(key, context)
    const requested = await read(caller)
    context.call = requested
    const call = models.behindAlias(caller, requested)
    if (!models.mayUse(caller, { name: requested.model, model: call.model })) {
      throw new GatewayError('relay.model_refused', models.hintFor(caller, requested))
    }
    const stored = call.operation.family === 'google' ? await filesOf(caller, call.body) : undefined
    if (stored !== undefined) call.stored = stored
    return { context, caller, call, requestedModel: requested.model, holdId: context.requestId, startedAt, startedMs }
  }

  const inBackground = async ({ caller, context, call, requestedModel }: AdmittedCall) => {
    context.setIdleTimeout(0)
    const response = await startBackground(caller, context, call, requestedModel)
    // Its log entry is written when the answer is fetched, perhaps by another node: there is nothing to record.
    context.recording?.entered('success', false)
    context.recording?.end(200)
    context.setIdleTimeout(IDLE_TIMEOUT_SEC)
    return Response.json(response, { headers: relayHeaders(context.requestId) })
  }

  return {
    /** For conversations: held and opened like any call, and settled by the caller of this function. */
    async openConversation<Answer>(
      context: RequestContext,
      key: string | undefined,
      call: Call,
      attemptOptions: AttemptOptions<Answer>,
    ) {
      const admitted = await admit(context, key, () => call)
      context.setIdleTimeout(0)
      const started = await startCall(admitted)
      return { active: started.active, ...(await open(started, attemptOptions)) }
    },

    async handle(request: Request, context: RequestContext, { operation, hints }: Endpoint): Promise<Response> {
      const key = presentedKey(request)
      const admitted = await admit(context, key, (caller) => {
        if (caller.recording !== undefined) context.recording = record(caller, context, operation, key)
        return bodyRoom.receive(caller, request, () => readCall(request, operation, hints, context.recording))
      })
      if (isBackground(admitted.call)) return inBackground(admitted)
      const client = request.signal
      // From here on the watchdog decides; a model may think for minutes before its first output.
      context.setIdleTimeout(0)
      const { requestId, trace } = context
      const own = items.of(admitted.caller.userId)
      const lane = { clock, http, sockets, requestId, credentials, items: own, trace }
      /** A client that has seen the end of an answer may refer to it at once, on any node. */
      const settleAndTell: Settle = async (...ended) => {
        const charged = await settle(...ended)
        await own.shared()
        return charged
      }
      const refusedElsewhere = models.fallbacksOf(admitted, CONTENT_REFUSED).length > 0
      const begin = async (instead?: FallbackModel) => {
        const catchesRefusals = refusedElsewhere && instead?.isLast !== true
        const started = await startCall(instead === undefined ? admitted : insteadOf(admitted, instead))
        const { active } = started
        const attempt = attemptFor(active.call, lane, catchesRefusals)
        return { active, ...(await open(started, { client, attempt })) }
      }
      const opened = await withFallbacks(begin, (reasons) =>
        client.aborted ? [] : models.fallbacksOf(admitted, reasons),
      )
      const respond = async ({ active, answer, deadline }: typeof opened) => {
        active.firstByteMs = monotonicMs(clock) - active.startedMs
        active.dropped = answer.dropped
        active.candidates.answered(active.route)
        const headers = answerHeaders(active, answer)
        if (answer.kind === 'stream') {
          const { ReadOnSeconds: readOnSeconds } = options.values()
          const ends = {
            settle: settleAndTell,
            upstream,
            deadline,
            client,
            readOnSeconds,
            quiet,
            now: () => clock.now(),
          }
          const { library } = active.call
          const shown = library === undefined ? answer : endedFor(library, answer)
          return streamResponse(request, shown, headers, { active, ...ends })
        }
        deadline.clear()
        trace?.see(answer.bytes)
        if (!answer.ours) active.lease.succeeded()
        const charged = await settleAndTell(active, () => ({
          outcome: 'success',
          reported: answer.usage,
          serviceTier: answer.serviceTier,
          imageUsage: answer.imageUsage,
          advisors: answer.advisors,
          servingModel: answer.servingModel,
          counted: () => countResponse(underName(active.call, active.quote.model), answer),
        }))
        context.setIdleTimeout(IDLE_TIMEOUT_SEC)
        return completeResponse(active, answer, headers, charged)
      }
      return respond(opened).catch(async (error) => {
        // A bug, and nobody gets this answer: its hold must not stay open for as long as the process lives.
        opened.deadline.abort()
        const outcome = outcomeOfError(error)
        await settle(opened.active, () => ({
          ...{ reported: undefined, counted: undefined, outcome, error: String(error) },
        }))
        throw error
      })
    },
  }
}

const CONTENT_REFUSED = ['content_refused'] as const

/** Each attempt has a hold of its own: that of the previous model is already settled. */
const insteadOf = (admitted: AdmittedCall, { model, number }: FallbackModel): AdmittedCall => ({
  ...admitted,
  call: underName(admitted.call, model),
  holdId: `${admitted.context.requestId}~${number}`,
})

/** A response that is fetched later. A streamed one arrives at once. */
const isBackground = ({ operation, body, stream }: Call) =>
  operation.name === 'responses' && body.background === true && !stream

const IDLE_TIMEOUT_SEC = 60
