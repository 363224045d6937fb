import { type Fields, isFields, NO_USAGE, storedFiles } from '@tollgate/providers'
import { z } from 'zod'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { newId } from '../common/work-ids.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { type ContentAction, readContentRequests } from './batch-lines.ts'
import type { BatchNeeds } from './batch-needs.ts'
import { batchPrice } from './batch-price.ts'
import type { BatchRow } from './batches-repository.ts'
import type { BatchesService } from './batches-service.ts'
import { namedLines, plannedLines, sentLines } from './named-lines.ts'
import { noBatches } from './no-batches.ts'
import { type HeldPlan, planOf } from './plan.ts'
import { parsed } from './surface-request.ts'
import { KINDS } from './vendor-batch.ts'
import { VendorRefused } from './vendor-call.ts'

interface Needs extends BatchNeeds {
  batches: BatchesService
}

const Name = z.string().max(512).nullish()
const Priority = z.union([z.string().max(20), z.int()]).nullish()
const Input = z
  .looseObject({ requests: z.object({ requests: z.array(z.unknown()) }).nullish(), fileName: Name, file_name: Name })
  .nullish()

/** Google takes either spelling of every member. */
const GoogleBatch = z.object({
  batch: z.object({
    displayName: Name,
    display_name: Name,
    inputConfig: Input,
    input_config: Input,
    priority: Priority,
  }),
})

/** The model as the caller named it, and the body. */
interface Creation {
  asked: string
  action: ContentAction
  value: unknown
}

const CREATIONS = { generateContent: 'batchGenerateContent', embedContent: 'asyncBatchEmbedContent' } as const

export type GoogleBatches = ReturnType<typeof createGoogleBatches>

/** Batches in Google's format: requests inside the creation, results inside the batch. */
export const createGoogleBatches = (needs: Needs) => {
  const { options, rateLimiting, chooseChannel, startBatch, followBatch, vendorCall, batches } = needs

  /** The batch at the vendor, with its results; undefined if it is not there any more. */
  const atVendor = async (row: BatchRow): Promise<Fields | undefined> => {
    const route = vendorCall.routeOf(row)
    if (route === undefined || row.upstream_id === '') return undefined
    const names = await followBatch.namesOf(row)
    try {
      const path = KINDS.google.path(row.upstream_id)
      const { body } = await vendorCall.requestFor(route, { method: 'GET', path }, names)
      return isFields(body) ? body : undefined
    } catch (error) {
      if (error instanceof VendorRefused && error.failure.status === 404) return undefined
      throw error
    }
  }

  return {
    async create(caller: RelayCaller, context: RequestContext, { asked, action, value }: Creation) {
      const { batch } = parsed(GoogleBatch, value)
      const input = batch.inputConfig ?? batch.input_config
      if (input?.requests == null)
        throw new GatewayError('relay.bad_body', {
          reason: 'batch.inputConfig.requests: only requests inside the batch',
        })
      // A batch may go to any channel, and to any key of its pool.
      if (storedFiles({ requests: input.requests.requests }).length > 0) throw new GatewayError('relay.batch_files')
      const { endpoint, lines, metadata, operation } = await readContentRequests(input.requests.requests, asked, action)
      const named = namedLines({ endpoint, lines }, (model) => chooseChannel.modelFor(caller, model, 'google'))
      const models = [...new Set(named.map(({ model }) => model))]
      const takes = ({ provider }: Route) => provider?.batches?.dialect === 'google'
      const pass = await rateLimiting.enter(caller, models, NO_USAGE)
      try {
        const started = await chooseChannel.start({ caller, operation, models, takes }, async ({ route, group }) => {
          const id = newId('gbatch_')
          const plan = planOf(endpoint, await plannedLines(named, route, options.values().PreConsumedQuota))
          const displayName = batch.displayName ?? batch.display_name
          const sent = await sentLines(named, route, (index, { model, ...body }) => ({
            request: { ...body, model: `models/${model}` },
            ...(metadata[Number(index)] != null && { metadata: metadata[Number(index)] }),
          }))
          const [first] = plan.models
          const priority = batch.priority == null ? '' : `,"priority":${JSON.stringify(String(batch.priority))}`
          return startBatch(caller, context, {
            ...{ kind: 'google', id, route, group, models, priced: batchPrice(route) },
            plan: { ...plan, ...(displayName != null && { displayName }) },
            request: {
              method: 'POST',
              path: `/models/${encodeURIComponent(first?.model ?? '')}:${CREATIONS[action]}`,
              body: `{"batch":{"displayName":"${id}","inputConfig":{"requests":{"requests":[${sent.join(',')}]}}${priority}}}`,
            },
          })
        })
        if (started === undefined) throw noBatches(models, 'google')
        return shownOperation(started)
      } finally {
        pass?.release()
      }
    },

    /** Results are there only when they are paid. */
    async get(caller: RelayCaller, id: string) {
      const row = await batches.get(caller, 'google', id)
      return shownOperation(row, row.settled_at === null ? undefined : await atVendor(row))
    },

    async list(caller: RelayCaller, { limit, after }: { limit: number; after: string | undefined }) {
      const { rows, hasMore } = await batches.list(caller, 'google', { limit, order: 'desc', after })
      const last = hasMore ? rows.at(-1)?.id : undefined
      return {
        operations: rows.map((row) => shownOperation(row)),
        ...(last !== undefined && { nextPageToken: last }),
      }
    },

    async cancel(caller: RelayCaller, id: string) {
      await batches.cancel(caller, 'google', id)
      return {}
    },

    async remove(caller: RelayCaller, id: string) {
      await batches.remove(caller, 'google', id)
      return {}
    },
  }
}

/** An operation with our names in it. */
function shownOperation(row: BatchRow, live?: Fields): Fields {
  const { id, body, settled_at, status, created_at } = row
  const { displayName, models }: HeldPlan = JSON.parse(row.plan)
  const stored: Fields = body === '' ? {} : JSON.parse(body)
  const answer = live ?? stored
  const name = `batches/${id}`
  const known = isFields(answer.metadata) ? answer.metadata : {}
  // Given up, or not answered yet.
  const state =
    settled_at !== null && (status === 'failed' || known.state === undefined)
      ? 'BATCH_STATE_FAILED'
      : (known.state ?? 'BATCH_STATE_PENDING')
  return {
    ...answer,
    name,
    metadata: {
      createTime: new Date(created_at * 1000).toISOString(),
      ...known,
      ...{ name, state, model: `models/${models[0]?.asked}` },
      ...{ displayName: displayName ?? id },
    },
    ...(settled_at !== null && { done: true }),
  }
}
