import type { Text } from '@tollgate/contract'
import type { ChannelsService } from '../channels/channels-service.ts'
import type { VendorQueries } from '../channels/vendor-queries.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import { compare, isShrunk, listsNoneOffered } from './comparison.ts'
import { modelListsRepository, type StoredList } from './model-lists-repository.ts'
import { findingsIn } from './stored-findings.ts'

export type CheckModelList = ReturnType<typeof createCheckModelList>

interface Needs {
  db: Db
  channels: Pick<ChannelsService, 'offers'>
  vendorQueries: Pick<VendorQueries, 'listedModels'>
  clock: Clock
}

type Answer = { models: string[] } | { error: Text }

/** The maximum stored length of a vendor's message. */
const REASON_MAX = 500

const NOTHING = { listed_at: 0, listed: '[]', added: '[]', missing: '[]', kept: '[]', doubted: '' }

/**
 * Fetches the vendor's model list of a channel and stores the changes. A list that cannot be read or is implausible leaves the
 * stored state as it is, with the reason: nothing counts as removed because of a vendor's outage.
 */
export const createCheckModelList = ({ db, channels, vendorQueries, clock }: Needs) => {
  const ask = async (id: number): Promise<Answer> => {
    try {
      const { models, isPartial } = await vendorQueries.listedModels(id)
      if (isPartial) return { error: bothTexts('model_list.partial') }
      return models.length === 0 ? { error: bothTexts('model_list.empty') } : { models }
    } catch (error) {
      if (!(error instanceof GatewayError) || UNASKED.includes(error.code)) throw error
      return { error: cut({ zh: error.in('zh'), en: error.in('en') }) }
    }
  }

  return async (id: number) => {
    const [asked] = await channels.offers(db, [id])
    const answer = await ask(id)
    await transact(db, async (tx) => {
      const [row] = await modelListsRepository(tx).lock([id])
      const [offer] = await channels.offers(tx, [id])
      // It was deleted or pointed elsewhere while the vendor was queried.
      if (offer === undefined || offer.place !== asked?.place) return
      const { place } = offer
      const before = row?.place === place ? row : undefined
      const base = { ...NOTHING, ...before, channel_id: id, place, looked_at: seconds(clock) }
      await modelListsRepository(tx).save({ ...base, ...judged(offer, answer, before, seconds(clock)) })
    })
  }
}

/** Errors that mean that nothing was checked. */
const UNASKED: readonly string[] = ['channel.models_unsupported', 'channel.not_found']

type Offer = Awaited<ReturnType<ChannelsService['offers']>>[number]

function judged(offer: Offer, answer: Answer, before: StoredList | undefined, now: number) {
  if ('error' in answer) return failed(answer.error)
  const { models } = answer
  const found = before && before.listed_at > 0 ? findingsIn(before) : undefined
  if (listsNoneOffered(offer, models)) return failed(bothTexts('model_list.none_offered', { count: models.length }))
  const doubted = JSON.stringify(models)
  if (isShrunk(offer, models, found) && before?.doubted !== doubted) {
    const lengths = { count: models.length, before: found?.listed.length ?? 0 }
    return { ...failed(bothTexts('model_list.shrunk', lengths)), doubted }
  }
  const next = compare(offer, models, found)
  return {
    listed_at: now,
    listed: JSON.stringify(next.listed),
    added: JSON.stringify(next.added),
    missing: JSON.stringify(next.missing),
    kept: JSON.stringify(next.kept),
    doubted: '',
    ...{ error: '', error_en: '' },
  }
}

const failed = ({ zh, en }: Text) => ({ error: zh, error_en: en })

function bothTexts(...refusal: ConstructorParameters<typeof GatewayError>): Text {
  const error = new GatewayError(...refusal)
  return { zh: error.in('zh'), en: error.in('en') }
}

const cut = ({ zh, en }: Text): Text => ({ zh: zh.slice(0, REASON_MAX), en: en.slice(0, REASON_MAX) })
