import { failureOf, isFields, MJ_CODES, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { newId } from '../common/work-ids.ts'
import type { Db } from '../database/client.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { createBill } from './bill.ts'
import { filesRepository } from './files-repository.ts'
import { createFindLost } from './find-lost.ts'
import type { HeldPlan } from './plan.ts'
import { jsonLines } from './result-lines.ts'
import type { SettleBatch } from './settle-batch.ts'
import { VIDEO_LOST } from './shown-video.ts'
import { type BatchKind, type BatchState, isKind, KINDS, readState } from './vendor-batch.ts'
import { isUrl, type Renamed, renamed, type VendorCall, VendorRefused } from './vendor-call.ts'
import type { VendorAnswer } from './vendor-request.ts'

interface Needs {
  db: Db
  vendorCall: VendorCall
  settleBatch: SettleBatch
  clock: Clock
  log: Log
}

/** After this time a batch whose creation was never answered is searched for at the vendor. */
const LOST_SEC = 300

/** A vendor that answers so does not have it: it was deleted or has expired there. A wrong address answers so, too, hence the wait. */
const UNKNOWN = new Set([404, 410])
const UNKNOWN_TIMES = 5

export type FollowBatch = ReturnType<typeof createFollowBatch>

/** Polls a batch and settles it when it has ended. Doing so twice, or on two nodes, charges once. */
export const createFollowBatch = ({ db, vendorCall, settleBatch, clock, log }: Needs) => {
  const repository = batchesRepository(db)
  const findLost = createFindLost({ db, vendorCall })

  const finish = async (row: BatchRow, kind: BatchKind, route: Route, { state, answer }: Known) => {
    const plan: HeldPlan = JSON.parse(row.plan)
    const bill = createBill(plan, kind)
    for (const line of linesIn(kind, answer.body)) bill.read(line)
    const results = await resultsOf(route, kind, state)
    if (results !== undefined) {
      const { reply } = results
      for await (const line of jsonLines(reply)) bill.read(line)
    }
    const error = isFields(answer.body) ? KINDS[kind].failure?.(answer.body) : undefined
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
        body: renamed(storedText(kind, answer), names),
        outputFileId: output ?? '',
        errorFileId: errors ?? '',
      },
      settledAt: seconds(clock),
      files: made.flatMap((file) => file ?? []),
    })
  }

  const resultsOf = (route: Route, kind: BatchKind, state: BatchState) => {
    const file = KINDS[kind].resultsFile?.(state)
    if (file !== undefined) return vendorCall.downloadFile(route, file, NOBODY)
    const path = KINDS[kind].resultsPath(state)
    return path === undefined ? undefined : vendorCall.download(route, path, NOBODY)
  }

  const madeFile = async (row: BatchRow, route: Route, upstreamId: string, part: string) => {
    if (!/^[\w-]{1,200}$/.test(upstreamId) && !isUrl(upstreamId)) return undefined
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

  /** For display only: results are available even if the vendor does not report the size. */
  const bytesOf = async (route: Route, upstreamId: string) => {
    if (isUrl(upstreamId)) return 0
    const answer = await vendorCall
      .request(route, { method: 'GET', path: `/files/${upstreamId}` })
      .catch(() => undefined)
    const bytes = isFields(answer?.body) ? answer.body.bytes : undefined
    return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : 0
  }

  /** Ids that differ between the vendor and us. */
  const namesOf = async (row: BatchRow): Promise<Renamed[]> => {
    const { id, kind, user_id: userId, upstream_id, input_file_id } = row
    // A task's id is replaced when it is displayed: its digits may occur in other numbers.
    if (kind === 'response' || kind === 'midjourney') return []
    // Whole names: a model's output may contain anything.
    if (kind === 'google') return upstream_id === '' ? [] : [[`batches/${upstream_id}`, `batches/${id}`]]
    const file = input_file_id === '' ? undefined : await filesRepository(db).find({ id: input_file_id, userId })
    return [[upstream_id, id], ...(file === undefined ? [] : [[file.upstream_id, file.id] as const])]
  }

  /** The outcome will never be known: the hold is released. */
  const giveUp = async (row: BatchRow, reason: string) => {
    const plan: HeldPlan = JSON.parse(row.plan)
    const billed = isKind(row.kind) ? createBill(plan, row.kind).models() : []
    log.warn('A batch is given up, and its hold is released', { batch: row.id, reason })
    await settleBatch(row, {
      payer: await repository.payer(row),
      status: 'failed',
      outcome: 'upstream_error',
      billed,
      error: reason,
    })
    const body = row.body === '' ? '' : JSON.stringify({ ...JSON.parse(row.body), ...GONE.get(row.kind) })
    await repository.end(row.id, {
      ...{ status: 'failed', body, outputFileId: '', errorFileId: '', settledAt: seconds(clock), files: [] },
    })
  }

  const resume = async (row: BatchRow, route: Route) => {
    const found = await findLost(row, route)
    if (found === undefined) return giveUp(row, 'The vendor never confirmed it')
    const { state, body } = found
    return note({ ...row, upstream_id: state.upstreamId }, { state, answer: { text: JSON.stringify(body), body } })
  }

  const note = async (row: BatchRow, { state, answer }: Known) => {
    const text = withoutOutput(answer)
    const body = renamed(isKind(row.kind) ? storedText(row.kind, { ...answer, text }) : text, await namesOf(row))
    await repository.note(row.id, { upstreamId: state.upstreamId, status: state.status, body })
  }

  /** For a repeated upscale the vendor returns the existing task, which has its own charge. */
  const isRepeated = async (
    { kind, user_id, channel_id }: BatchRow,
    { upstreamId }: BatchState,
    { body }: VendorAnswer,
  ) => {
    if (kind !== 'midjourney' || !isFields(body) || body.code !== MJ_CODES.exists) return false
    const known = await repository.findTask({ upstreamId, userId: user_id, channelId: channel_id })
    return known !== undefined
  }

  /** Stores the vendor's answer; a final answer is settled first. */
  const update = async (row: BatchRow, answer: VendorAnswer) => {
    const route = vendorCall.routeOf(row)
    const refusal = isKind(row.kind) && isFields(answer.body) ? KINDS[row.kind].refusal?.(answer.body) : undefined
    if (refusal !== undefined) throw new VendorRefused(refusal, answer)
    const state = isKind(row.kind) ? readState(row.kind, answer.body) : undefined
    if (route === undefined || state === undefined || !isKind(row.kind)) throw new GatewayError('relay.upstream_failed')
    if (row.upstream_id === '' && (await isRepeated(row, state, answer)))
      throw new VendorRefused(failureOf('client', 'The same task already exists'), answer)
    const known = { ...row, upstream_id: state.upstreamId }
    if (state.ended) await finish(known, row.kind, route, { state, answer })
    else await note(known, { state, answer })
  }

  /** The vendor's state of a batch. Undefined if the vendor has not known it for so long that it never will. */
  const poll = async (row: BatchRow, route: Route, kind: BatchKind) => {
    try {
      return await vendorCall.request(route, { method: 'GET', path: KINDS[kind].path(row.upstream_id) })
    } catch (error) {
      if (!(error instanceof VendorError && UNKNOWN.has(error.failure.status))) throw error
      const unknown = await repository.countUnknown(row.id, seconds(clock))
      if (unknown === undefined || unknown.times < UNKNOWN_TIMES) throw error
      if (seconds(clock) - (unknown.sinceSec ?? 0) < KINDS[kind].unknownSec) throw error
      return undefined
    }
  }

  return {
    update,
    namesOf,

    /** For the job: a failure is retried by the next run, until the batch is given up. */
    async follow(row: BatchRow) {
      const age = seconds(clock) - row.created_at
      const route = vendorCall.routeOf(row)
      try {
        if (route === undefined || !isKind(row.kind)) {
          // A channel that is not loaded, or whose key cannot be decrypted, may come back.
          if (!(await repository.hasChannel(row.channel_id))) return await giveUp(row, 'The channel was removed')
          throw new GatewayError('relay.batch_channel_gone')
        }
        if (row.upstream_id === '') return age < LOST_SEC ? undefined : await resume(row, route)
        const answer = await poll(row, route, row.kind)
        if (answer === undefined) return await giveUp(row, 'The vendor no longer knows it')
        await update(row, answer)
      } catch (error) {
        log.warn('A batch could not be followed', { batch: row.id, error })
        if (age > giveUpSec(row)) await giveUp(row, 'The vendor did not report an outcome')
      }
    },
  }
}

/** No client waits for the results that the job reads. */
const NOBODY = { client: new AbortController().signal }

const giveUpSec = ({ kind }: BatchRow) => KINDS[isKind(kind) ? kind : 'openai'].giveUpSec

interface Known {
  state: BatchState
  answer: VendorAnswer
}

const GONE = new Map<string, object>([
  ['openai', { status: 'failed' }],
  ['anthropic', { processing_status: 'ended' }],
  ['response', { status: 'failed' }],
  ['video', { status: 'failed', error: VIDEO_LOST }],
])

/** The results that the answer contains. Those of OpenAI and Anthropic are elsewhere. */
function linesIn(kind: BatchKind, body: unknown): readonly unknown[] {
  if (kind === 'openai' || kind === 'anthropic') return []
  return (isFields(body) ? KINDS[kind].lines?.(body) : undefined) ?? [body]
}

function storedText(kind: BatchKind, { text, body }: VendorAnswer) {
  const { stored } = KINDS[kind]
  return stored !== undefined && isFields(body) ? JSON.stringify(stored(body)) : text
}

/** Result files of a running batch are not available yet. */
function withoutOutput({ text, body }: VendorAnswer) {
  if (!isFields(body) || !(body.output_file_id || body.error_file_id)) return text
  return JSON.stringify({ ...body, output_file_id: null, error_file_id: null })
}
