import { ChannelStatus } from '@tollgate/contract'
import { type Attention, roughDollars } from '../../channels/channel-attention.ts'
import type { ChannelsService } from '../../channels/channels-service.ts'
import { upstreamText } from '../../common/upstream-sentences.ts'
import type { Condition } from './condition.ts'

interface Needs {
  channels: Pick<ChannelsService, 'states'>
  attention: Pick<Attention, 'all'>
}

/** Conditions on channels, for administrators. */
export const createChannelConditions = ({ channels, attention }: Needs) => {
  const disabled: Condition = async () =>
    (await channels.states())
      .filter(({ status }) => status === ChannelStatus.autoDisabled)
      .map((channel) => ({
        ...about(channel),
        title: titled(channel, { zh: '已被自动禁用', en: 'was disabled automatically' }),
        lines: () => [
          { zh: `原因：${channel.status_reason}`, en: `Reason: ${channel.status_reason_en || channel.status_reason}` },
        ],
      }))

  const failing: Condition = async ({ rule: { threshold, minimum }, now }) => {
    const { channels: every, recent_since, day_since } = await attention.all()
    return every.flatMap((channel) => {
      // Without logs of answered calls, only the daily sums contain them.
      const ofDay = channel.recent.calls === null
      const { failed, calls } = ofDay ? channel.day : { ...channel.recent, calls: channel.recent.calls ?? 0 }
      const percent = calls === 0 ? 0 : (failed / calls) * 100
      const isReported =
        channel.status === ChannelStatus.enabled && failed > 0 && calls >= minimum && percent >= threshold
      if (!isReported) return []
      const since = ofDay ? day_since : recent_since
      return [
        {
          ...about(channel),
          title: titled(channel, { zh: '失败率过高', en: 'is failing too often' }),
          lines: (time: (at: number) => string) => [
            {
              zh: `${calls} 次尝试中有 ${failed} 次失败（${percent.toFixed(1)}%，阈值 ${threshold}%）`,
              en: `${failed} of ${calls} attempts failed (${percent.toFixed(1)}%, threshold ${threshold}%)`,
            },
            { zh: `时间：${time(since)} 至 ${time(now)}`, en: `Period: ${time(since)} to ${time(now)}` },
            { zh: `最近的错误：${upstreamText(channel.last_error).zh}`, en: `Last error: ${channel.last_error}` },
          ],
        },
      ]
    })
  }

  const balance: Condition = async ({ rule: { threshold } }) =>
    (await channels.states()).flatMap((channel) => {
      const { status, type, balance: left, balance_updated_time } = channel
      const dollars = roughDollars(type, left)
      const isKnown = status === ChannelStatus.enabled && balance_updated_time > 0 && dollars !== undefined
      if (!isKnown || dollars >= threshold) return []
      return [
        {
          ...about(channel),
          title: titled(channel, { zh: '余额不足', en: 'has a low balance' }),
          lines: (time: (at: number) => string) => [
            {
              zh: `剩余约 $${dollars.toFixed(2)}（阈值 $${threshold}）`,
              en: `About $${dollars.toFixed(2)} left (threshold $${threshold})`,
            },
            { zh: `查询时间：${time(balance_updated_time)}`, en: `Checked at ${time(balance_updated_time)}` },
          ],
        },
      ]
    })

  const price: Condition = async () =>
    (await channels.states())
      .filter(({ status, unpriced }) => status === ChannelStatus.enabled && unpriced.length > 0)
      .map((channel) => ({
        ...about(channel),
        title: titled(channel, { zh: '有模型没有价格', en: 'offers models without a price' }),
        lines: () => {
          const named = channel.unpriced.slice(0, NAMED_MAX).join(', ')
          const more = channel.unpriced.length - NAMED_MAX
          return [
            {
              zh: `没有价格的模型：${named}${more > 0 ? ` 等 ${channel.unpriced.length} 个` : ''}`,
              en: `Without a price: ${named}${more > 0 ? ` and ${more} more` : ''}`,
            },
          ]
        },
      }))

  return { disabled, failing, balance, price }
}

const NAMED_MAX = 10

const about = ({ id }: { id: number }) => ({ subject: String(id), path: `/channel/edit/${id}` })

const titled = ({ id, name }: { id: number; name: string }, predicate: { zh: string; en: string }) => ({
  zh: `渠道「${name}」（#${id}）${predicate.zh}`,
  en: `Channel "${name}" (#${id}) ${predicate.en}`,
})
