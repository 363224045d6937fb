import { timingSafeEqual } from 'node:crypto'
import { MJ_CODES, type MjSubmission, mjModelOf, NO_USAGE } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import type { Db } from '../database/client.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { quoteForTask, quotePaidElsewhere } from '../relay/meter/quote.ts'
import type { RateLimiting } from '../relay/rate-limits/rate-limits.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { type ChooseChannel, groupOf } from './choose-channel.ts'
import type { FollowBatch } from './follow-batch.ts'
import { newTaskId } from './ids.ts'
import { type PlannedTask, planOf } from './plan.ts'
import { imageOf, taskOf } from './shown-task.ts'
import type { StartBatch } from './start-batch.ts'
import { KINDS } from './vendor-batch.ts'
import { isChannelRefusal, type VendorCall, VendorRefused } from './vendor-call.ts'

interface Needs {
  db: Db
  options: OptionsService
  rateLimiting: RateLimiting
  chooseChannel: ChooseChannel
  startBatch: StartBatch
  followBatch: FollowBatch
  vendorCall: VendorCall
}

interface Asked {
  caller: RelayCaller
  context: RequestContext
  submission: MjSubmission
  /** As the server has it: `/mj/submit/imagine`. */
  path: string
}

interface Taker {
  route: Route
  group: string
}

/** How many tasks of a list are asked after at once. */
const AT_ONCE = 4

export type MidjourneyService = ReturnType<typeof createMidjourneyService>

/** A task is a batch of one, sold by the piece. Another user's task is simply not there. */
export const createMidjourneyService = (needs: Needs) => {
  const { db, options, rateLimiting, chooseChannel, startBatch, followBatch, vendorCall } = needs
  const repository = batchesRepository(db)

  const unknown = (id: string) => new GatewayError('relay.task_unknown', { id: storableText(id, 200) })

  const find = async ({ userId }: RelayCaller, id: string) => {
    const row = await repository.find({ id, userId })
    if (row?.kind !== 'midjourney') throw unknown(id)
    return row
  }

  /** What the server says of it now; one that has been paid does not change any more. */
  const refreshed = async (row: BatchRow) => {
    if (row.settled_at !== null || row.upstream_id === '') return row
    const route = vendorCall.routeOf(row)
    // The job gives it up if the channel is gone for good.
    if (route === undefined) return row
    const path = KINDS.midjourney.path(row.upstream_id)
    await followBatch.learn(row, await vendorCall.askFor(route, { method: 'GET', path }))
    return (await repository.find({ id: row.id, userId: row.user_id })) ?? row
  }

  const make = async ({ caller, context, submission, path }: Asked, asked: string, taker: Taker, parent?: BatchRow) => {
    const { route, group } = taker
    const { action, prompt, state } = submission
    const model = route.mapping.get(asked) ?? asked
    const line = { id: '', model, asked, estimate: { ...NO_USAGE, tasks: 1 } }
    const task: PlannedTask = {
      ...{ action, prompt: storableText(prompt, 32_000), state: storableText(state, 2000), view: newView() },
      ...(parent !== undefined && { parent: { id: parent.id, upstreamId: parent.upstream_id } }),
    }
    const body = JSON.stringify(submission.body(parent?.upstream_id ?? ''))
    return startBatch(caller, context, {
      ...{ kind: 'midjourney', id: newTaskId(), route, group, plan: { ...planOf('/mj/submit', [line]), task } },
      priced(usual) {
        const quote = isPaidBy(parent, submission) ? quotePaidElsewhere(usual) : quoteForTask(usual)
        return { charged: quote, held: quote }
      },
      asked: { method: 'POST', path, body, isCall: true },
    })
  }

  /** Channel after channel, until one takes it: each that says no is a hold that ends at once, and an entry in the log. */
  const makeAnywhere = async (asked: Asked, model: string) => {
    const takes = ({ provider }: Route) => provider?.midjourney !== undefined
    const next = chooseChannel.channelsFor({ caller: asked.caller, models: [model], takes })
    let refusal: unknown
    for (let tries = 0; tries <= options.values().RetryTimes; tries++) {
      const choice = await next()
      if (choice === undefined) break
      // The work itself is not a call of this channel's: it says nothing of how the channel is doing now.
      choice.lease.release()
      try {
        return await make(asked, model, choice)
      } catch (error) {
        if (!isChannelRefusal(error)) throw error
        refusal = error
      }
    }
    throw refusal ?? new GatewayError('relay.no_tasks', { model })
  }

  /** Only the server that made a task can go on with it. */
  const makeOf = async (asked: Asked, model: string, parentId: string) => {
    const parent = await find(asked.caller, parentId)
    if (parent.upstream_id === '') throw unknown(parentId)
    const route = vendorCall.routeOf(parent)
    const group = route && groupOf(asked.caller, route)
    if (route?.status !== 1 || group === undefined || !route.models.has(model))
      throw new GatewayError('relay.task_channel_gone', { id: parentId, model })
    return make(asked, model, { route, group }, parent).catch(async (error) => {
      const made = await repeated(asked.caller, route, error)
      if (made === undefined) throw error
      return { repeated: made }
    })
  }

  const repeated = async ({ userId }: RelayCaller, route: Route, error: unknown) => {
    const said: unknown = error instanceof VendorRefused ? error.told?.body : undefined
    if (!isExisting(said)) return undefined
    const { upstreamId } = KINDS.midjourney.read(said)
    return repository.findTask({ upstreamId, userId, channelId: route.id })
  }

  return {
    /** The new task, or the one that has been made of the same before. */
    async submit(asked: Asked): Promise<BatchRow | { repeated: BatchRow }> {
      const { caller, submission } = asked
      const model = chooseChannel.modelFor(caller, mjModelOf(submission.action), 'openai')
      const pass = await rateLimiting.enter(caller, model, NO_USAGE)
      try {
        const { parentId } = submission
        return await (parentId === undefined ? makeAnywhere(asked, model) : makeOf(asked, model, parentId))
      } finally {
        pass?.release()
      }
    },

    get: async (caller: RelayCaller, id: string) => refreshed(await find(caller, id)),

    /** Those of them that are this caller's; what cannot be asked after now is as it was known last. */
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

    /** For its owner, or for whoever has the address that the owner was given. */
    async picture(who: { caller: RelayCaller } | { view: string }, id: string, client: AbortSignal) {
      const row = 'caller' in who ? await find(who.caller, id) : await repository.findAnyones(id)
      if (row?.kind !== 'midjourney' || ('view' in who && !isSame(taskOf(row).view, who.view))) throw unknown(id)
      const url = imageOf(row)
      const route = vendorCall.routeOf(row)
      if (url === undefined || route === undefined) throw new GatewayError('relay.task_no_picture', { id })
      return vendorCall.downloadFrom(route, url, client)
    },
  }
}

/** A confirmed window goes on with the task that has opened it, which is charged where its action has a price. */
const isPaidBy = (parent: BatchRow | undefined, { action }: MjSubmission) =>
  action === 'MODAL' && parent !== undefined && parent.amount > 0

const isExisting = (said: unknown): said is { code: number; result: unknown } =>
  typeof said === 'object' && said !== null && 'code' in said && said.code === MJ_CODES.exists

const newView = () => crypto.randomUUID().replaceAll('-', '')

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
