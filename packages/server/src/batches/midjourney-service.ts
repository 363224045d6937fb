import { MJ_CODES, type MjSubmission, mjModelOf, NO_USAGE } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import { newTaskId } from '../common/work-ids.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { quoteForTask, quotePaidElsewhere } from '../relay/meter/quote.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { isSameSecret } from '../security/same-secret.ts'
import type { BatchNeeds } from './batch-needs.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { type PlannedTask, planOf } from './plan.ts'
import { imageOf, taskOf } from './shown-task.ts'
import { KINDS } from './vendor-batch.ts'
import { VendorRefused } from './vendor-call.ts'

interface Submitted {
  caller: RelayCaller
  context: RequestContext
  submission: MjSubmission
  /** The path at the server: `/mj/submit/imagine`. */
  path: string
}

interface Destination {
  route: Route
  group: string
}

/** Tasks of a list that are refreshed at the same time. */
const AT_ONCE = 4

export type MidjourneyService = ReturnType<typeof createMidjourneyService>

/** A task is a batch of one with a fixed price. Another user's task is reported as not found. */
export const createMidjourneyService = (needs: BatchNeeds) => {
  const { db, options, rateLimiting, chooseChannel, startBatch, followBatch, vendorCall } = needs
  const repository = batchesRepository(db)

  const unknown = (id: string) => new GatewayError('relay.task_unknown', { id: storableText(id, 200) })

  const find = async ({ userId }: RelayCaller, id: string) => {
    const row = await repository.find({ id, userId })
    if (row?.kind !== 'midjourney') throw unknown(id)
    return row
  }

  /** The current state at the server; a settled task no longer changes. */
  const refreshed = async (row: BatchRow) => {
    if (row.settled_at !== null || row.upstream_id === '') return row
    const route = vendorCall.routeOf(row)
    // The job gives it up if the channel is gone for good.
    if (route === undefined) return row
    const path = KINDS.midjourney.path(row.upstream_id)
    await followBatch.update(row, await vendorCall.requestFor(route, { method: 'GET', path }))
    return (await repository.find({ id: row.id, userId: row.user_id })) ?? row
  }

  const make = async (
    { caller, context, submission, path }: Submitted,
    requested: string,
    destination: Destination,
    parent?: BatchRow,
  ) => {
    const { route, group } = destination
    const { action, prompt, state } = submission
    const model = route.mapping.get(requested) ?? requested
    const line = { key: '', model, asked: requested, estimate: { ...NO_USAGE, tasks: 1 } }
    const task: PlannedTask = {
      ...{ action, prompt: storableText(prompt, 32_000), state: storableText(state, 2000), view: newView() },
      ...(parent !== undefined && { parent: { id: parent.id, upstreamId: parent.upstream_id } }),
    }
    const body = JSON.stringify(submission.body(parent?.upstream_id ?? ''))
    return startBatch(caller, context, {
      ...{ kind: 'midjourney', id: newTaskId(), route, group, models: [requested] },
      plan: { ...planOf('/mj/submit', [line]), task },
      priced(usual) {
        const quote = isPaidBy(parent, submission) ? quotePaidElsewhere(usual) : quoteForTask(usual)
        return { charged: quote, held: quote }
      },
      request: { method: 'POST', path, body, isCall: true },
    })
  }

  /** Tries channels until one accepts the task. Each refusal ends its hold at once and is a log entry. */
  const makeAnywhere = async (submitted: Submitted, model: string) => {
    const takes = ({ provider }: Route) => provider?.midjourney !== undefined
    const made = await chooseChannel.start(
      { caller: submitted.caller, models: [model], takes },
      (choice) => make(submitted, model, choice),
      options.values().RetryTimes,
    )
    if (made === undefined) throw new GatewayError('relay.no_tasks', { model })
    return made
  }

  /** Only the server that has the parent task can continue it. */
  const makeOf = async (submitted: Submitted, model: string, parentId: string) => {
    const parent = await find(submitted.caller, parentId)
    if (parent.upstream_id === '') throw unknown(parentId)
    const route = vendorCall.routeOf(parent)
    const gone = () => new GatewayError('relay.task_channel_gone', { id: parentId, model })
    if (route?.status !== 1 || !route.models.has(model)) throw gone()
    const made = await chooseChannel.startOn(submitted.caller, route, (group) =>
      make(submitted, model, { route, group }, parent).catch(async (error) => {
        const existing = await repeated(submitted.caller, route, error)
        if (existing === undefined) throw error
        return { repeated: existing }
      }),
    )
    if (made === undefined) throw gone()
    return made
  }

  const repeated = async ({ userId }: RelayCaller, route: Route, error: unknown) => {
    const answer: unknown = error instanceof VendorRefused ? error.answer?.body : undefined
    if (!isExisting(answer)) return undefined
    const { upstreamId } = KINDS.midjourney.read(answer)
    return repository.findTask({ upstreamId, userId, channelId: route.id })
  }

  return {
    /** The new task, or the existing one that the server returned for a repeated action. */
    async submit(submitted: Submitted): Promise<BatchRow | { repeated: BatchRow }> {
      const { caller, submission } = submitted
      const model = chooseChannel.modelFor(caller, mjModelOf(submission.action), 'openai')
      const pass = await rateLimiting.enter(caller, [model], NO_USAGE)
      try {
        const { parentId } = submission
        return await (parentId === undefined ? makeAnywhere(submitted, model) : makeOf(submitted, model, parentId))
      } finally {
        pass?.release()
      }
    },

    get: async (caller: RelayCaller, id: string) => refreshed(await find(caller, id)),

    /** This caller's tasks among the ids; one that cannot be refreshed is returned as last known. */
    async list({ userId }: RelayCaller, ids: readonly string[]) {
      if (ids.length === 0) return []
      const rows = (await repository.findMany(ids, userId)).filter(({ kind }) => kind === 'midjourney')
      const shown = new Map(rows.map((row) => [row.id, row]))
      const waiting = rows.values()
      const work = async () => {
        for (const row of waiting) shown.set(row.id, await refreshed(row).catch(() => row))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return [...shown.values()]
    },

    /** For the owner, or for anyone who has the link that the owner received. */
    async image(who: { caller: RelayCaller } | { view: string }, id: string, client: AbortSignal) {
      const row = 'caller' in who ? await find(who.caller, id) : await repository.findWithoutOwner(id)
      if (row?.kind !== 'midjourney' || ('view' in who && !isSameSecret(taskOf(row).view, who.view))) throw unknown(id)
      const url = imageOf(row)
      const route = vendorCall.routeOf(row)
      if (url === undefined || route === undefined) throw new GatewayError('relay.task_no_picture', { id })
      // A link with its secret needs no key.
      return vendorCall.downloadFrom(route, url, { client, ...('caller' in who && { tokenId: who.caller.tokenId }) })
    },
  }
}

/** A modal continues the task that opened it; if that task has a price and has not ended, it is charged there. */
const isPaidBy = (parent: BatchRow | undefined, { action }: MjSubmission) =>
  action === 'MODAL' && parent !== undefined && parent.amount > 0 && parent.settled_at === null

const isExisting = (answer: unknown): answer is { code: number; result: unknown } =>
  typeof answer === 'object' && answer !== null && 'code' in answer && answer.code === MJ_CODES.exists

const newView = () => crypto.randomUUID().replaceAll('-', '')
