import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import { untilAvailable } from '../database/until-available.ts'
import { BudgetSpent, type CallLedger } from '../ledger/call-ledger.ts'
import { crashPoint } from '../ledger/stores/crash-points.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { createQuotes, type Quote } from '../relay/meter/quote.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { createBill } from './bill.ts'
import type { FollowBatch } from './follow-batch.ts'
import { frozenQuote } from './frozen-quote.ts'
import { amountOf, type HeldPlan, type Plan } from './plan.ts'
import type { SettleBatch } from './settle-batch.ts'
import type { BatchKind } from './vendor-batch.ts'
import { isRefused, type Renamed, type VendorCall } from './vendor-call.ts'
import type { VendorRequest } from './vendor-request.ts'

interface Needs {
  db: Db
  catalog: CatalogService
  ledger: CallLedger
  budgets: ActiveBudgets
  vendorCall: VendorCall
  settleBatch: SettleBatch
  followBatch: FollowBatch
  clock: Clock
  /** Wakes the job that polls batches. */
  onStart(): void
}

export interface BatchRequest {
  kind: BatchKind
  id: string
  route: Route
  group: string
  plan: Plan
  /** The plan's models with aliases resolved: budgets name them so. */
  models: readonly string[]
  inputFileId?: string
  request: VendorRequest
  names?: readonly Renamed[]
  /** The prices of this kind of work for the charge and for the hold, from the usual price. */
  priced(usual: Quote): { charged: Quote; held: Quote }
}

export type StartBatch = ReturnType<typeof createStartBatch>

/**
 * Submits work: first its row, then the hold, then the request to the vendor. If the process dies in between, the row remains:
 * without a hold nothing was sent, and with one the job finds out what happened. Throws `BudgetSpent`, which `chooseChannel` handles.
 */
export const createStartBatch = (needs: Needs) => {
  const { db, catalog, ledger, budgets, vendorCall, settleBatch, followBatch, clock, onStart } = needs
  const repository = batchesRepository(db)
  const quotes = createQuotes(catalog)

  const heldPlan = ({ requestId }: RequestContext, { plan, route, group, priced }: BatchRequest): HeldPlan => ({
    ...plan,
    requestId,
    models: plan.models.map((planned) => {
      const usual = quotes({ model: planned.model, type: route.type, group, free: false })
      const { charged, held } = priced(usual)
      return { ...planned, quote: frozenQuote(charged), amount: amountOf(planned, held) }
    }),
  })

  const claimsFor = ({ tokenId, userId }: RelayCaller, { models, route, group }: BatchRequest) => {
    const claims = models.flatMap((model) => budgets.claims({ tokenId, userId, group, channel: route.id, model }) ?? [])
    return [...new Map(claims.map((claim) => [claim.id, claim])).values()]
  }

  const hold = async (caller: RelayCaller, row: BatchRow, work: BatchRequest) => {
    try {
      await ledger.holdLasting(caller, row.id, row.amount, priceText(work), claimsFor(caller, work))
    } catch (error) {
      // Otherwise the database may have the hold: with its row, the job releases it even if this process dies.
      if (isNotHeld(error)) await repository.remove(row.id)
      throw error
    }
  }

  /** The prices are stored in the row. */
  const priceText = ({ id, plan }: BatchRequest) => JSON.stringify({ model: plan.models[0]?.model, batch: id })

  /** Its caller knows only the request: the work never got an answer with its id. */
  const refused = async (row: BatchRow, { requestId }: RequestContext, kind: BatchKind, error: Error) => {
    const billed = createBill(JSON.parse(row.plan), kind).models()
    const payer = await repository.payer(row)
    await settleBatch(row, { payer, status: 'failed', billed, error: error.message, requestId })
    await repository.remove(row.id)
  }

  return async (caller: RelayCaller, context: RequestContext, work: BatchRequest): Promise<BatchRow> => {
    const { kind, id, route, inputFileId = '', request, names = [] } = work
    const plan = heldPlan(context, work)
    const row: BatchRow = {
      ...{ id, kind, user_id: caller.userId, token_id: caller.tokenId, channel_id: route.id },
      ...{ channel_key_id: route.poolKey?.id ?? null, upstream_id: '', input_file_id: inputFileId },
      ...{ output_file_id: '', error_file_id: '', status: 'creating', plan: JSON.stringify(plan), body: '' },
      ...{ amount: plan.models.reduce((sum, { amount }) => sum + amount, 0), created_at: seconds(clock) },
      settled_at: null,
      unknown_times: 0,
      unknown_since: null,
    }
    await repository.insert(row)
    onStart()
    await hold(caller, row, work)
    context.isHeld = true
    try {
      const accepted = await vendorCall.requestFor(route, request, names)
      crashPoint('accepted')
      await untilAvailable(() => followBatch.update(row, accepted))
    } catch (error) {
      // After any other error it is unknown whether the vendor accepted it: the job finds out.
      if (isRefused(error) && error instanceof Error) await refused(row, context, kind, error)
      throw error
    }
    const started = await untilAvailable(() => repository.find({ id, userId: caller.userId }))
    if (started === undefined) throw new GatewayError('relay.batch_unknown', { id })
    return started
  }
}

const isNotHeld = (error: unknown) =>
  error instanceof BudgetSpent || (error instanceof GatewayError && error.code !== 'server.unavailable')
