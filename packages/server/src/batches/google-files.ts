import { type Fields, isFields, storedFiles } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import type { FilesAt } from '../relay/files-at.ts'
import { type FileRow, filesRepository } from './files-repository.ts'
import { googleFileOf, nameOf, unknownFile } from './google-file.ts'
import { googleFilesRepository } from './google-files-repository.ts'
import type { PageRequest } from './listed-page.ts'
import { isRefused, type VendorCall } from './vendor-call.ts'

interface Needs {
  db: Db
  vendorCall: VendorCall
  clock: Clock
}

/** Files that are still being processed are asked for when they are listed, but no more than these. */
const REFRESHED_MAX = 10

export type GoogleFiles = ReturnType<typeof createGoogleFiles>

/** Files of Google's clients: each at the channel that took it, and for its owner alone. */
export const createGoogleFiles = ({ db, vendorCall, clock }: Needs) => {
  const files = googleFilesRepository(db)
  const { remove } = filesRepository(db)

  const find = async (userId: number, id: string) => {
    const row = await files.find({ id, userId, nowSec: seconds(clock) })
    if (row === undefined || googleFileOf(row).file === undefined) throw unknownFile(id)
    return row
  }

  const routeOf = (row: FileRow): Route => {
    const route = vendorCall.routeOf(row)
    // Another key of a pool is another account's, which has other files.
    const isOther = row.channel_key_id !== null && route?.poolKey?.id !== row.channel_key_id
    if (route?.status !== 1 || isOther) throw new GatewayError('relay.batch_channel_gone')
    return route
  }

  /** The file as its vendor describes it now. */
  const refreshed = async (row: FileRow): Promise<Fields> => {
    const { body } = await vendorCall.requestFor(routeOf(row), { method: 'GET', path: `/${nameOf(row.id)}` })
    const file = isFields(body) ? body : {}
    await files.setPlan(row.id, JSON.stringify({ ...googleFileOf(row), file }))
    return file
  }

  const shown = async (row: FileRow, mayAsk: boolean): Promise<Fields> => {
    const { file = {} } = googleFileOf(row)
    if (file.state !== 'PROCESSING' || !mayAsk) return file
    return refreshed(row).catch(() => file)
  }

  return {
    get: async ({ userId }: RelayCaller, id: string) => refreshed(await find(userId, id)),

    async list({ userId }: RelayCaller, paged: PageRequest) {
      const { rows, hasMore } = await files.list(userId, seconds(clock), paged)
      const uploaded = rows.filter((row) => googleFileOf(row).file !== undefined)
      const last = hasMore ? rows.at(-1)?.id : undefined
      return {
        files: await Promise.all(uploaded.map((row, at) => shown(row, at < REFRESHED_MAX))),
        ...(last !== undefined && { nextPageToken: last }),
      }
    },

    async remove({ userId }: RelayCaller, id: string) {
      const row = await find(userId, id)
      const route = vendorCall.routeOf(row)
      // A file that the vendor no longer has is removed here as well.
      if (route !== undefined)
        await vendorCall.requestFor(route, { method: 'DELETE', path: `/${nameOf(id)}` }).catch((error) => {
          if (!isRefused(error)) throw error
        })
      await remove(id)
      return {}
    },

    /** Where the files are to which a call refers; undefined if it refers to none of ours. */
    async filesOf({ userId }: RelayCaller, body: Fields): Promise<FilesAt | undefined> {
      const names = [...new Set(storedFiles(body))]
      if (names.length === 0) return undefined
      const rows = await Promise.all(names.map((id) => find(userId, id)))
      const [first] = rows
      if (first === undefined) return undefined
      const isApart = rows.some(
        (row) => row.channel_id !== first.channel_id || row.channel_key_id !== first.channel_key_id,
      )
      if (isApart) throw new GatewayError('relay.files_apart')
      routeOf(first)
      return {
        channel: first.channel_id,
        key: first.channel_key_id ?? undefined,
        files: rows.map((row) => ({ type: googleFileOf(row).mimeType, size: row.bytes })),
      }
    },

    removeExpired: () => files.removeExpired(seconds(clock)),
  }
}
