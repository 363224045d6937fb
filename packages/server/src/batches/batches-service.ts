import { NO_USAGE } from '@tollgate/providers'
import { z } from 'zod'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import { newId } from '../common/work-ids.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { operationAt } from '../relay/surfaces/operations.ts'
import { readBatchRequests } from './batch-lines.ts'
import type { BatchNeeds } from './batch-needs.ts'
import { batchPrice } from './batch-price.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import type { FilesService } from './files-service.ts'
import type { PageRequest } from './listed-page.ts'
import { namedLines, plannedLines, sentLines } from './named-lines.ts'
import { noBatches } from './no-batches.ts'
import { type Plan, planOf } from './plan.ts'
import { parsed } from './surface-request.ts'
import { type BatchKind, cancelPath, isKind, KINDS } from './vendor-batch.ts'

interface Needs extends BatchNeeds {
  files: FilesService
}

const METADATA_MAX = 16

const OpenAiBatch = z.object({
  input_file_id: z.string().max(200),
  endpoint: z.string().max(200),
  completion_window: z.string().max(20),
  // OpenAI's own limits: it is stored, and part of every list.
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((metadata) => Object.keys(metadata).length <= METADATA_MAX, `more than ${METADATA_MAX} pairs`)
    .nullish(),
  output_expires_after: z.object({ anchor: z.string().max(64), seconds: z.int().min(0) }).nullish(),
})

const AnthropicBatch = z.object({ requests: z.array(z.unknown()) })

export type BatchesService = ReturnType<typeof createBatchesService>

/** Batches in OpenAI's and Anthropic's format. Another user's batch is reported as not found. */
export const createBatchesService = (needs: Needs) => {
  const { db, options, rateLimiting, files, chooseChannel, startBatch, followBatch, vendorCall } = needs
  const repository = batchesRepository(db)

  const find = async ({ userId }: RelayCaller, kind: BatchKind, id: string) => {
    const row = await repository.find({ id, userId })
    if (row?.kind !== kind) throw unknown(id)
    return row
  }

  const routeOf = (row: BatchRow) => {
    const route = vendorCall.routeOf(row)
    if (route === undefined) throw new GatewayError('relay.batch_channel_gone')
    return route
  }

  /** The current state at the vendor; a settled batch no longer changes. */
  const refreshed = async (row: BatchRow) => {
    if (row.settled_at !== null || row.upstream_id === '' || !isKind(row.kind)) return row
    return updated(row, 'GET', KINDS[row.kind].path(row.upstream_id))
  }

  const updated = async (row: BatchRow, method: 'GET' | 'POST', path: string) => {
    await followBatch.update(
      row,
      await vendorCall.requestFor(routeOf(row), { method, path }, await followBatch.namesOf(row)),
    )
    return (await repository.find({ id: row.id, userId: row.user_id })) ?? row
  }

  return {
    async create(caller: RelayCaller, context: RequestContext, value: unknown) {
      const batch = parsed(OpenAiBatch, value)
      const file = await files.find(caller, batch.input_file_id)
      if (file.plan === '') throw new GatewayError('relay.file_purpose', { purpose: file.purpose })
      const plan: Plan = JSON.parse(file.plan)
      if (plan.endpoint !== batch.endpoint) throw new GatewayError('relay.batch_endpoint', { endpoint: plan.endpoint })
      const models = [...new Set(plan.models.map(({ asked }) => chooseChannel.modelFor(caller, asked, 'openai')))]
      const route = vendorCall.routeOf(file)
      if (route?.status !== 1) throw new GatewayError('relay.batch_channel_gone')
      const [first] = plan.models
      const sent = { ...batch, input_file_id: file.upstream_id }
      const { form } = route.provider?.batches ?? {}
      const foreign = form?.refused?.(sent)
      if (foreign !== undefined) throw new GatewayError('relay.bad_body', { reason: `${foreign}: not for this model` })
      const created = form?.create?.(sent, first?.model ?? '') ?? sent
      const pass = await rateLimiting.enter(caller, models, NO_USAGE)
      try {
        const started = await chooseChannel.startOn(caller, route, (group) =>
          startBatch(caller, context, {
            ...{
              kind: 'openai',
              id: newId('batch_'),
              route,
              group,
              models,
              inputFileId: file.id,
              priced: batchPrice(route),
            },
            plan: {
              ...{ ...plan, window: batch.completion_window },
              ...(batch.metadata && { metadata: batch.metadata }),
            },
            request: { method: 'POST', path: '/batches', body: JSON.stringify(created) },
            names: [[file.upstream_id, file.id]],
          }),
        )
        if (started === undefined) throw new GatewayError('relay.batch_channel_gone')
        return started
      } finally {
        pass?.release()
      }
    },

    async createMessages(
      caller: RelayCaller,
      context: RequestContext,
      value: unknown,
      headers: Record<string, string>,
    ) {
      const { requests } = parsed(AnthropicBatch, value)
      const read = await readBatchRequests(requests)
      const named = namedLines(read, (model) => chooseChannel.modelFor(caller, model, 'anthropic'))
      const models = [...new Set(named.map(({ model }) => model))]
      const operation = operationAt(read.endpoint)?.operation
      if (operation === undefined) throw new GatewayError('relay.batch_endpoint', { endpoint: read.endpoint })
      const takes = ({ provider }: Route) => provider?.batches?.dialect === 'anthropic'
      const pass = await rateLimiting.enter(caller, models, NO_USAGE)
      try {
        const started = await chooseChannel.start({ caller, operation, models, takes }, async ({ route, group }) => {
          const plan = planOf(read.endpoint, await plannedLines(named, route, options.values().PreConsumedQuota))
          const sent = await sentLines(named, route, (custom_id, params) => ({ custom_id, params }))
          return startBatch(caller, context, {
            ...{ kind: 'anthropic', id: newId('msgbatch_'), route, group, models, plan, priced: batchPrice(route) },
            request: { method: 'POST', path: '/batches', body: `{"requests":[${sent.join(',')}]}`, headers },
          })
        })
        if (started === undefined) throw noBatches(models, 'anthropic')
        return started
      } finally {
        pass?.release()
      }
    },

    list: ({ userId }: RelayCaller, kind: BatchKind, paged: PageRequest) => repository.list(userId, kind, paged),

    async get(caller: RelayCaller, kind: BatchKind, id: string) {
      return refreshed(await find(caller, kind, id))
    },

    async cancel(caller: RelayCaller, kind: BatchKind, id: string) {
      const row = await find(caller, kind, id)
      if (row.upstream_id === '') throw new GatewayError('relay.batch_running', { id })
      if (row.settled_at !== null) return row
      if (kind === 'google') {
        const names = await followBatch.namesOf(row)
        // The answer is empty.
        await vendorCall.requestFor(
          routeOf(row),
          { method: 'POST', path: cancelPath(kind, row.upstream_id), body: '{}' },
          names,
        )
        return refreshed(row)
      }
      return updated(row, 'POST', cancelPath(kind, row.upstream_id))
    },

    async results(caller: RelayCaller, id: string, client: AbortSignal) {
      const row = await refreshed(await find(caller, 'anthropic', id))
      if (row.settled_at === null) throw new GatewayError('relay.batch_running', { id })
      return vendorCall.download(routeOf(row), `/batches/${row.upstream_id}/results`, {
        client,
        tokenId: caller.tokenId,
      })
    },

    async remove(caller: RelayCaller, kind: BatchKind, id: string) {
      const row = await refreshed(await find(caller, kind, id))
      if (row.settled_at === null) throw new GatewayError('relay.batch_running', { id })
      const route = vendorCall.routeOf(row)
      const names = [[row.upstream_id, id]] as const
      if (route !== undefined)
        await vendorCall.requestFor(route, { method: 'DELETE', path: `/batches/${row.upstream_id}` }, names)
      await repository.remove(id)
    },
  }
}

const unknown = (id: string) => new GatewayError('relay.batch_unknown', { id: storableText(id, 200) })
