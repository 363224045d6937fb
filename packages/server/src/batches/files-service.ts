import { type BatchFileLine, isFields, NO_USAGE } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Route } from '../catalog/snapshot.ts'
import { bodyRoom } from '../common/body-room.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import { newId } from '../common/work-ids.ts'
import type { Db } from '../database/client.ts'
import { untilAvailable } from '../database/until-available.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import type { Candidate } from '../relay/candidates.ts'
import { createQuotes } from '../relay/meter/quote.ts'
import type { RateLimiting } from '../relay/rate-limits/rate-limits.ts'
import { formOf } from '../relay/surfaces/form-body.ts'
import { operationAt } from '../relay/surfaces/operations.ts'
import { startDeadline } from '../relay/timeouts/deadline.ts'
import type { Watchdog } from '../relay/timeouts/watchdog.ts'
import { type AttemptNeeds, attemptOnce, type Upstream } from '../upstream/open.ts'
import { readJson } from '../upstream/reply.ts'
import { type BatchLines, readBatchFile } from './batch-lines.ts'
import { batchPrice } from './batch-price.ts'
import { takesFile } from './batch-translation.ts'
import type { ChooseChannel } from './choose-channel.ts'
import { type FileRow, filesRepository } from './files-repository.ts'
import type { PageRequest } from './listed-page.ts'
import { type NamedLine, namedLines, plannedLines, sentLines } from './named-lines.ts'
import { noBatches } from './no-batches.ts'
import { amountOf, type Plan, planOf } from './plan.ts'
import type { RefuseUncovered } from './refuse-uncovered.ts'
import { isRefused, isUrl, type VendorCall } from './vendor-call.ts'

interface Needs extends AttemptNeeds {
  db: Db
  catalog: CatalogService
  options: OptionsService
  refuseUncovered: RefuseUncovered
  rateLimiting: RateLimiting
  upstream: Upstream
  watchdog: Watchdog
  chooseChannel: ChooseChannel
  vendorCall: VendorCall
  clock: Clock
}

const NAME_MAX = 200

export type FilesService = ReturnType<typeof createFilesService>

/** Files for batches: parsed here for their models, and stored by a channel that offers all of them. */
export const createFilesService = (needs: Needs) => {
  const { db, options, rateLimiting, upstream, watchdog, chooseChannel, vendorCall, clock } = needs
  const { catalog, refuseUncovered } = needs
  const repository = filesRepository(db)
  const quotes = createQuotes(catalog)

  const find = async ({ userId }: RelayCaller, id: string) => {
    const file = await repository.find({ id, userId })
    if (file === undefined) throw new GatewayError('relay.file_unknown', { id: storableText(id, NAME_MAX) })
    return file
  }

  const boundRoute = (file: FileRow) => {
    const route = vendorCall.routeOf(file)
    if (route === undefined) throw new GatewayError('relay.batch_channel_gone')
    return route
  }

  /** What a batch of these lines would hold on this channel. */
  const amountFor = ({ models }: Plan, { route, group }: Candidate) => {
    const heldAt = (model: string) => batchPrice(route)(quotes({ model, type: route.type, group, free: false })).held
    return models.reduce((sum, planned) => sum + amountOf(planned, heldAt(planned.model)), 0)
  }

  /** Other channels are tried until one accepts the file. */
  const upload = async (
    request: Request,
    first: Candidate,
    next: () => Promise<Candidate | undefined>,
    lines: Uploaded,
  ) => {
    let current = first
    const another = async () => {
      const other = await next()
      if (other !== undefined) current = other
      return other
    }
    let accepted: { route: Route; bytes: number } | undefined
    const attempt = async (route: Route, signal: AbortSignal) => {
      const text = await lines.text(route)
      accepted = { route, bytes: Buffer.byteLength(text) }
      return attemptOnce(needs, route, uploadCall(text, lines.filename), signal)
    }
    const { answer, deadline } = await upstream
      .open({
        ...{ first, next: another, attempt, attempts: [], client: request.signal, isLate: () => false },
        retriesMax: options.values().RetryTimes,
        startDeadline: ({ firstByteTimeoutMs }) =>
          startDeadline(watchdog, request.signal, { startedAt: clock.now(), firstByteMs: firstByteTimeoutMs }),
      })
      .catch((error) => {
        // A client that left says nothing about the channel.
        current.lease.release()
        throw error
      })
    deadline.clear()
    current.lease.succeeded()
    if (accepted === undefined) throw new Error('No channel accepted the file')
    return { ...accepted, answer }
  }

  return {
    find,

    async create(caller: RelayCaller, request: Request) {
      const { purpose, file, filename } = await bodyRoom.receive(caller, request, () => readForm(request))
      if (purpose !== 'batch')
        throw new GatewayError('relay.file_purpose', { purpose: storableText(purpose, NAME_MAX) })
      const read = await readBatchFile(await file.text())
      const named = namedLines(read, (model) => chooseChannel.modelFor(caller, model, 'openai'))
      const models = [...new Set(named.map(({ model }) => model))]
      const pass = await rateLimiting.enter(caller, models, NO_USAGE)
      try {
        const operation = operationOf(read)
        const takes = takesFile(read.endpoint, models)
        const next = chooseChannel.channelsFor({ caller, operation, models, takes })
        const first = await next()
        if (first === undefined) throw noBatches(models, 'openai')
        const planFor = async (route: Route) =>
          planOf(read.endpoint, await plannedLines(named, route, options.values().PreConsumedQuota))
        /** A file is stored for nothing: whoever cannot pay for its batch must not fill the vendor's storage. */
        const paidPlan = async () => {
          const plan = await planFor(first.route)
          await refuseUncovered(caller, amountFor(plan, first))
          return plan
        }
        const firstPlan = await paidPlan().catch((error) => {
          first.lease.release()
          throw error
        })
        const text = (route: Route) => asFile(named, read.endpoint, route)
        const { route, bytes, answer } = await upload(request, first, next, { filename, text })
        const plan = route === first.route ? firstPlan : await planFor(route)
        const row: FileRow = {
          ...{ id: newId('file-'), user_id: caller.userId, token_id: caller.tokenId, channel_id: route.id },
          ...{ channel_key_id: route.poolKey?.id ?? null, upstream_id: answer, purpose, filename, bytes },
          ...{ plan: JSON.stringify(plan), created_at: seconds(clock) },
        }
        await untilAvailable(() => repository.insert(row))
        return row
      } finally {
        pass?.release()
      }
    },

    list: ({ userId }: RelayCaller, purpose: string | undefined, paged: PageRequest) =>
      repository.list(userId, purpose, paged),

    async remove(caller: RelayCaller, id: string) {
      const file = await find(caller, id)
      const route = vendorCall.routeOf(file)
      // A file that the vendor no longer has is removed here as well.
      if (route !== undefined && !isUrl(file.upstream_id))
        await vendorCall
          .requestFor(route, { method: 'DELETE', path: `/files/${file.upstream_id}` }, [[file.upstream_id, id]])
          .catch((error) => {
            if (!isRefused(error)) throw error
          })
      await repository.remove(id)
    },

    async content(caller: RelayCaller, id: string, client: AbortSignal) {
      const file = await find(caller, id)
      return vendorCall.downloadFile(boundRoute(file), file.upstream_id, { client, tokenId: caller.tokenId })
    },
  }
}

interface Uploaded {
  filename: string
  /** The lines in the format of the route's vendor. */
  text(route: Route): Promise<string>
}

const uploadCall = (text: string, filename: string) => ({
  request({ provider }: Route, access: Route['access']) {
    if (provider?.batches === undefined) throw new GatewayError('relay.batch_channel_gone')
    const { batches } = provider
    const form = new FormData()
    const fields = batches.form?.upload?.(filename) ?? { purpose: 'batch' }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new File([text], filename, { type: 'application/jsonl' }))
    return {
      method: 'POST' as const,
      url: batches.url(batches.form?.path?.('/files') ?? '/files', access),
      headers: batches.headers(access),
      body: form,
    }
  },
  async accept(reply: Parameters<typeof readJson>[0], { provider }: Route) {
    const body = await readJson(reply)
    const answer = isFields(body) ? body : {}
    const id = provider?.batches?.form?.fileId?.(answer) ?? answer.id
    if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) throw new Error('The upstream returned no file id')
    return id
  },
})

const asFile = async (lines: readonly NamedLine[], url: string, route: Route) => {
  const write = route.provider?.batches?.form?.line ?? ((line: BatchFileLine) => line)
  return (await sentLines(lines, route, (custom_id, body) => write({ custom_id, method: 'POST', url, body }))).join(
    '\n',
  )
}

function operationOf({ endpoint }: BatchLines) {
  const operation = operationAt(endpoint)?.operation
  if (operation === undefined) throw new GatewayError('relay.batch_endpoint', { endpoint })
  return operation
}

async function readForm(request: Request) {
  const form = await formOf(request)
  const file = form.get('file')
  if (!(file instanceof File)) throw new GatewayError('relay.bad_body', { reason: 'file' })
  const filename = storableText(file.name || 'batch.jsonl', NAME_MAX)
  return { purpose: String(form.get('purpose') ?? ''), file, filename }
}
