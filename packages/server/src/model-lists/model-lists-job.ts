import { ChannelStatus } from '@tollgate/contract'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { ChannelsService } from '../channels/channels-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { DAY } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/job.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { CheckModelList } from './check-model-list.ts'
import { modelListsRepository } from './model-lists-repository.ts'

const INTERVAL_SEC = 600

/** Runs are not exact to the second; without this a channel would be checked a little later each day. */
const DUE_AFTER_SEC = DAY - INTERVAL_SEC

/** The minimum per run, so that a small site need not wait; with many channels as many as half a day needs. */
const CHANNELS_MIN = 20
const RUNS_PER_HALF_DAY = (12 * 3600) / INTERVAL_SEC

const CONCURRENCY = 4

interface Needs {
  db: Db
  catalog: CatalogService
  channels: Pick<ChannelsService, 'offers'>
  checkModelList: CheckModelList
  options: OptionsService
  clock: Clock
  log: Log
}

/**
 * Checks each enabled channel whose vendor can list its models once a day. Each is due a day after its own last check, so that the
 * load stays spread.
 */
export const createModelListsJob = ({ db, catalog, channels, checkModelList, options, clock, log }: Needs) => {
  const due = async () => {
    await catalog.reload()
    const { routes } = catalog.snapshot()
    const looks = new Map((await modelListsRepository(db).looks()).map((row) => [row.channel_id, row]))
    const now = seconds(clock)
    const able = (await channels.offers(db)).filter(
      ({ id, status }) => status === ChannelStatus.enabled && routes.get(id)?.provider?.models !== undefined,
    )
    const waiting = able.flatMap(({ id, place }) => {
      const { looked_at, ...last } = looks.get(id) ?? { looked_at: 0, place }
      return Math.abs(now - looked_at) >= DUE_AFTER_SEC || last.place !== place ? [{ id, looked_at }] : []
    })
    return waiting
      .toSorted((one, other) => one.looked_at - other.looked_at)
      .slice(0, Math.max(CHANNELS_MIN, Math.ceil(able.length / RUNS_PER_HALF_DAY)))
  }

  const isIdle = () => !options.values().ModelListCheckEnabled

  return {
    name: 'model lists',
    everySec: INTERVAL_SEC,
    isIdle,
    async run() {
      const queue = (await due()).values()
      const worker = async () => {
        for (const { id } of queue) {
          if (isIdle()) return
          await checkModelList(id).catch((error) =>
            log.warn('A list of models could not be looked at', { error, channel: id }),
          )
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, worker))
    },
  } satisfies Job
}
