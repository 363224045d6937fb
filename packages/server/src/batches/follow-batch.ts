import { failureOf, isFields, MJ_CODES } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { createBill } from './bill.ts'
import { filesRepository } from './files-repository.ts'
import { newId } from './ids.ts'
import type { HeldPlan } from './plan.ts'
import { jsonLines } from './result-lines.ts'
import type { SettleBatch } from './settle-batch.ts'
import { VIDEO_LOST } from './shown-video.ts'
import type { Told } from './vendor-asked.ts'
import { type BatchKind, type BatchState, isKind, KINDS, readState } from './vendor-batch.ts'
import { type Renamed, renamed, type VendorCall, VendorRefused } from './vendor-call.ts'

interface Needs {
  db: Db
  vendorCall: VendorCall
  settleBatch: SettleBatch
  clock: Clock
  log: Log
}

/** A request that a vendor was never seen to take is looked for after so long; nobody waits for it any more. */
const LOST_SEC = 300

export type FollowBatch = ReturnType<typeof createFollowBatch>

/** Asks what has become of a batch, and pays it when it has ended. Whoever does that twice, or at two nodes, pays once. */
export const createFollowBatch = ({ db, vendorCall, settleBatch, clock, log }: Needs) => {
  const repository = batchesRepository(db)

  const finish = async (row: BatchRow, kind: BatchKind, route: Route, { state, told }: Known) => {
    const plan: HeldPlan = JSON.parse(row.plan)
    const bill = createBill(plan, kind)
    if (kind !== 'openai' && kind !== 'anthropic') bill.read(told.body)
    const path = KINDS[kind].resultsPath(state)
    if (path !== undefined) {
      const { reply } = await vendorCall.open(route, path)
      for await (const line of jsonLines(reply)) bill.read(line)
    }
    const error = isFields(told.body) ? KINDS[kind].failure?.(told.body) : undefined
    await settleBatch(row, {
      ...{ payer: await repository.payer(row), status: state.status, billed: bill.models() },
      ...(error !== undefined && { error }),
    })
    const made = [
      await madeFile(row, route, state.output, 'output'),
      await madeFile(row, route, state.errors, 'errors'),
    ]
    const [output, errors] = made.map((file) => file?.id ?? '')
    const names = [
      ...(await namesOf(row)),
      ...made.flatMap((file) => (file ? [[file.upstream_id, file.id] as const] : [])),
    ]
    await repository.end(row.id, {
      ...{
        status: state.status,
        body: renamed(told.text, names),
        outputFileId: output ?? '',
        errorFileId: errors ?? '',
      },
      settledAt: seconds(clock),
      files: made.flatMap((file) => file ?? []),
    })
  }

  const madeFile = async (row: BatchRow, route: Route, upstreamId: string, part: string) => {
    if (!/^[\w-]{1,200}$/.test(upstreamId)) return undefined
    const { user_id, token_id, channel_id, channel_key_id } = row
    return {
      ...{ id: newId('file-'), user_id, token_id, channel_id, channel_key_id, upstream_id: upstreamId },
      ...{
        purpose: 'batch_output',
        filename: `${row.id}_${part}.jsonl`,
        bytes: await bytesOf(route, upstreamId),
        plan: '',
      },
      created_at: seconds(clock),
    }
  }

  /** It is only told: a vendor that does not say it keeps nobody from the results. */
  const bytesOf = async (route: Route, upstreamId: string) => {
    const told = await vendorCall.ask(route, { method: 'GET', path: `/files/${upstreamId}` }).catch(() => undefined)
    const bytes = isFields(told?.body) ? told.body.bytes : undefined
    return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : 0
  }

  /** What the vendor calls by another name than we do. */
  const namesOf = async (row: BatchRow): Promise<Renamed[]> => {
    const { id, kind, user_id: userId, upstream_id, input_file_id } = row
    // A task's id is put in when it is shown: digits occur in other numbers too.
    if (kind === 'response' || kind === 'midjourney') return []
    const file = input_file_id === '' ? undefined : await filesRepository(db).find({ id: input_file_id, userId })
    return [[upstream_id, id], ...(file === undefined ? [] : [[file.upstream_id, file.id] as const])]
  }

  /** Nobody will ever say what became of it: what was held goes back. */
  const giveUp = async (row: BatchRow, reason: string) => {
    const plan: HeldPlan = JSON.parse(row.plan)
    const billed = isKind(row.kind) ? createBill(plan, row.kind).models() : []
    log.warn('A batch is given up, and what was held for it goes back', { batch: row.id, reason })
    await settleBatch(row, { payer: await repository.payer(row), status: 'failed', billed, error: reason })
    const body = row.body === '' ? '' : JSON.stringify({ ...JSON.parse(row.body), ...GONE[row.kind] })
    await repository.end(row.id, {
      ...{ status: 'failed', body, outputFileId: '', errorFileId: '', settledAt: seconds(clock), files: [] },
    })
  }

  /**
   * We have died, or lost the line, before the vendor had told its name of the batch. OpenAI's list names the file that
   * each was made of; elsewhere nothing tells it from others, and it is given up.
   */
  const findLost = async (row: BatchRow, route: Route) => {
    const file = await filesRepository(db).find({ id: row.input_file_id, userId: row.user_id })
    if (file !== undefined) {
      const { body } = await vendorCall.ask(route, { method: 'GET', path: '/batches?limit=100' })
      const listed: unknown[] = isFields(body) && Array.isArray(body.data) ? body.data : []
      for (const one of listed) {
        const state = isFields(one) && one.input_file_id === file.upstream_id ? readState('openai', one) : undefined
        if (state === undefined || (await repository.isKnownUpstream(row.channel_id, state.upstreamId))) continue
        return note(
          { ...row, upstream_id: state.upstreamId },
          { state, told: { text: JSON.stringify(one), body: one } },
        )
      }
    }
    return giveUp(row, 'The vendor was not seen to take it')
  }

  const note = async (row: BatchRow, { state, told }: Known) => {
    const body = renamed(withoutOutput(told), await namesOf(row))
    await repository.note(row.id, { upstreamId: state.upstreamId, status: state.status, body })
  }

  /** A vendor that was asked for the same upscale again names the one that it has made: it is paid, or will be. */
  const isRepeated = async ({ kind, user_id, channel_id }: BatchRow, { upstreamId }: BatchState, { body }: Told) => {
    if (kind !== 'midjourney' || !isFields(body) || body.code !== MJ_CODES.exists) return false
    const known = await repository.findTask({ upstreamId, userId: user_id, channelId: channel_id })
    return known !== undefined
  }

  /** What the vendor says of it is kept; what it says at the end is paid first. */
  const learn = async (row: BatchRow, told: Told) => {
    const route = vendorCall.routeOf(row)
    const refusal = isKind(row.kind) && isFields(told.body) ? KINDS[row.kind].refusal?.(told.body) : undefined
    if (refusal !== undefined) throw new VendorRefused(refusal, told)
    const state = isKind(row.kind) ? readState(row.kind, told.body) : undefined
    if (route === undefined || state === undefined || !isKind(row.kind)) throw new GatewayError('relay.upstream_failed')
    if (row.upstream_id === '' && (await isRepeated(row, state, told)))
      throw new VendorRefused(failureOf('client', 'The same task exists already'), told)
    const known = { ...row, upstream_id: state.upstreamId }
    if (state.ended) await finish(known, row.kind, route, { state, told })
    else await note(known, { state, told })
  }

  return {
    learn,
    namesOf,

    /** For the job: failures are the next run's business, until it is too late. */
    async follow(row: BatchRow) {
      const age = seconds(clock) - row.created_at
      const route = vendorCall.routeOf(row)
      try {
        if (route === undefined || !isKind(row.kind)) {
          // What is only not in memory, or has no key that opens, may be back.
          if (!(await repository.hasChannel(row.channel_id))) return await giveUp(row, 'The channel was removed')
          throw new GatewayError('relay.batch_channel_gone')
        }
        if (row.upstream_id === '') return age < LOST_SEC ? undefined : await findLost(row, route)
        await learn(row, await vendorCall.ask(route, { method: 'GET', path: KINDS[row.kind].path(row.upstream_id) }))
      } catch (error) {
        log.warn('A batch could not be followed', { batch: row.id, error })
        if (age > giveUpSec(row)) await giveUp(row, 'The vendor did not tell what became of it')
      }
    },
  }
}

const giveUpSec = ({ kind }: BatchRow) => KINDS[isKind(kind) ? kind : 'openai'].giveUpSec

interface Known {
  state: BatchState
  told: Told
}

const GONE: Record<string, object> = {
  openai: { status: 'failed' },
  anthropic: { processing_status: 'ended' },
  response: { status: 'failed' },
  video: { status: 'failed', error: VIDEO_LOST },
}

/** Files that a running batch has begun are not to be had yet. */
function withoutOutput({ text, body }: Told) {
  if (!isFields(body) || !(body.output_file_id || body.error_file_id)) return text
  return JSON.stringify({ ...body, output_file_id: null, error_file_id: null })
}
