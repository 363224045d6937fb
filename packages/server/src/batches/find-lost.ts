import { type Fields, isFields } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Db } from '../database/client.ts'
import { listed } from './batch-translation.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import { filesRepository } from './files-repository.ts'
import type { HeldPlan } from './plan.ts'
import { type BatchState, readState } from './vendor-batch.ts'
import { type VendorCall, VendorRefused } from './vendor-call.ts'
import { translatorOf } from './video-translation.ts'

interface Needs {
  db: Db
  vendorCall: VendorCall
}

/** The vendor's clock may differ from ours. */
const SAME_TIME_SEC = 300

/**
 * Work whose process died, or whose connection was lost, before the vendor's id arrived. OpenAI's list contains the input file of each
 * batch, and the prompt of each video, Google's the name that we gave it; in other lists nothing identifies it. Undefined if it is not there.
 */
export const createFindLost = ({ db, vendorCall }: Needs) => {
  const repository = batchesRepository(db)

  const list = async (route: Route, path: string) => {
    if (translatorOf(route.provider, path) !== undefined) return []
    try {
      return listed((await vendorCall.requestFor(route, { method: 'GET', path })).body)
    } catch (error) {
      // Not every compatible server has a list.
      if (error instanceof VendorRefused && NO_LIST.has(error.failure.status)) return []
      throw error
    }
  }

  const batchesLike = async (row: BatchRow, route: Route) => {
    const file = await filesRepository(db).find({ id: row.input_file_id, userId: row.user_id })
    if (file === undefined) return []
    return (await list(route, '/batches?limit=100')).filter((one) => one.input_file_id === file.upstream_id)
  }

  const videosLike = async (row: BatchRow, route: Route) =>
    (await list(route, '/videos?limit=100&order=desc')).filter((one) => isSameVideo(one, row))

  const operationsLike = async (row: BatchRow, route: Route) => {
    const { body } = await vendorCall.requestFor(route, { method: 'GET', path: '/batches?pageSize=100' })
    const operations: unknown[] = isFields(body) && Array.isArray(body.operations) ? body.operations : []
    return operations.filter(isFields).filter(({ metadata }) => isFields(metadata) && metadata.displayName === row.id)
  }

  return async (row: BatchRow, route: Route): Promise<{ state: BatchState; body: Fields } | undefined> => {
    const { kind, channel_id } = row
    if (kind !== 'openai' && kind !== 'video' && kind !== 'google') return undefined
    const like = { openai: batchesLike, video: videosLike, google: operationsLike }[kind]
    for (const body of await like(row, route)) {
      const state = readState(kind, body)
      if (state !== undefined && !(await repository.isKnownUpstream(channel_id, state.upstreamId)))
        return { state, body }
    }
    return undefined
  }
}

const NO_LIST = new Set([404, 405])

function isSameVideo({ prompt, model, created_at }: Fields, row: BatchRow) {
  const { video, models }: HeldPlan = JSON.parse(row.plan)
  const isNear = typeof created_at === 'number' && Math.abs(created_at - row.created_at) <= SAME_TIME_SEC
  return isNear && prompt === video?.prompt && model === models[0]?.model
}
