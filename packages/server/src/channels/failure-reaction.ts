import type { UpstreamFailure } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Log } from '../log.ts'
import type { NotificationsService } from '../notifications/notifications-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Health } from '../upstream/health.ts'
import type { ChannelsService } from './channels-service.ts'

interface Needs {
  catalog: Pick<CatalogService, 'forget'>
  health: Health
  channels: ChannelsService
  options: OptionsService
  notifications: NotificationsService
  log: Log
}

/** What happens when a channel failed a call: it is judged, and disabled if the operator allows that. */
export const createFailureReaction =
  ({ catalog, health, channels, options, notifications, log }: Needs) =>
  (channel: { id: number; name: string }, failure: UpstreamFailure) => {
    const { disable, reason } = health.failed(channel.id, failure)
    if (!disable || !options.values().AutomaticDisableChannelEnabled) return
    const react = async () => {
      if (!(await channels.autoDisable(channel.id, reason))) return
      catalog.forget()
      health.reset(channel.id)
      await notifications.channelChanged({ channel, change: 'disabled', reason })
    }
    react().catch((error) => log.error('A failing channel could not be disabled', { error, channel: channel.id }))
  }
