import { ChannelStatus } from '@tollgate/contract'
import { VendorError } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, seconds } from '../clock.ts'
import { GatewayError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { NotificationsService } from '../notifications/notifications-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Probe } from '../relay/probe.ts'
import type { Actor } from '../session/actor.ts'
import type { Health } from '../upstream/health.ts'
import type { ChannelsService } from './channels-service.ts'
import { freshRoute } from './fresh-route.ts'
import { testKindOf, testModelOf } from './test-model.ts'

export type ChannelChecks = ReturnType<typeof createChannelChecks>

interface Needs {
  catalog: CatalogService
  channels: ChannelsService
  probe: Probe
  health: Health
  logs: LogsService
  options: OptionsService
  notifications: NotificationsService
  clock: Clock
  log: Log
}

/** Testing channels: one when it is asked for, or many in the background. */
export const createChannelChecks = (needs: Needs) => {
  const { catalog, channels, probe, health, logs, options, notifications, clock, log } = needs
  let progress = { running: false, total: 0, done: 0, failed: 0 }

  const test = async (route: Route, asked: string, actor: Pick<Actor, 'id' | 'username'>) => {
    const model = testModelOf([...route.models], asked, route.testModel)
    if (model === undefined) throw new GatewayError('channel.test_no_model')
    const kind = testKindOf(model)
    if (kind === undefined) throw new GatewayError('channel.test_not_testable', { model })
    try {
      const { ms: took, text } = await probe(route, model, kind)
      // 0 means "never tested" to those who read it.
      const ms = Math.max(1, Math.round(took))
      await channels.saveTest(route.id, { test_time: seconds(clock), response_time: ms })
      await note(route, model, actor, {
        zh: `渠道测试成功，耗时 ${ms} 毫秒：${text.slice(0, 200)}`,
        en: `Test passed in ${ms} ms: ${text.slice(0, 200)}`,
      })
      return { model, ms }
    } catch (error) {
      const reason = reasonOf(error)
      await channels.saveTest(route.id, { test_time: seconds(clock), response_time: 0 })
      await note(route, model, actor, { zh: `渠道测试失败：${reason}`, en: `Test failed: ${reason}` })
      throw error
    }
  }

  const note = (
    route: Route,
    model: string,
    user: Pick<Actor, 'id' | 'username'>,
    content: { zh: string; en: string },
  ) => logs.noteTest({ user, channel: route.id, model, content })

  /** What a full test does with what it found. */
  const judge = async (route: Route, outcome: { ms: number } | { error: unknown }) => {
    const value = options.values()
    const limitMs = value.ChannelDisableThreshold * 1000
    const slow = 'ms' in outcome && limitMs > 0 && outcome.ms > limitMs
    const fatal =
      'error' in outcome &&
      outcome.error instanceof VendorError &&
      health.failed(route.id, outcome.error.failure).disable
    if (route.status === ChannelStatus.enabled && (slow || fatal)) {
      const reason = slow
        ? `响应时间 ${'ms' in outcome ? outcome.ms : 0} ms 超过 ${limitMs} ms`
        : reasonOf('error' in outcome ? outcome.error : '')
      if (!value.AutomaticDisableChannelEnabled) {
        const title = `渠道「${route.name}」（#${route.id}）需要关注`
        return notifications.tellRoot({ title, description: title, content: reason })
      }
      if (await channels.autoDisable(route.id, reason)) {
        await notifications.channelChanged({ channel: route, change: 'disabled', reason })
      }
      return
    }
    if (
      'ms' in outcome &&
      !slow &&
      route.status === ChannelStatus.autoDisabled &&
      value.AutomaticEnableChannelEnabled
    ) {
      if (!(await channels.autoEnable(route.id))) return
      health.reset(route.id)
      await notifications.channelChanged({ channel: route, change: 'enabled', reason: '' })
    }
  }

  const testAll = async (routes: Route[], actor: Pick<Actor, 'id' | 'username'>) => {
    for (const route of routes) {
      try {
        const { ms } = await test(route, '', actor)
        await judge(route, { ms })
      } catch (error) {
        // A channel that cannot be tested is no worse for it.
        if (!isUntestable(error)) {
          progress.failed++
          await judge(route, { error })
        }
      }
      progress.done++
    }
  }

  return {
    async test(id: number, asked: string, actor: Actor) {
      try {
        const { model, ms } = await test(await freshRoute(needs, id), asked, actor)
        return { time: ms / 1000, model, modelName: model }
      } catch (error) {
        if (error instanceof GatewayError) throw error
        throw new GatewayError('channel.test_failed', { reason: reasonOf(error) }, { cause: error })
      }
    },

    /** Begins in the background; `progress` tells how far it is. One at a time. */
    async startTests(scope: 'all' | 'disabled', actor: Actor) {
      if (progress.running) throw new GatewayError('channel.tests_running')
      progress = { running: true, total: 0, done: 0, failed: 0 }
      await catalog.reload()
      const routes = [...catalog.snapshot().routes.values()].filter(
        ({ status }) => scope === 'all' || status !== ChannelStatus.enabled,
      )
      progress.total = routes.length
      testAll(routes, actor)
        .catch((error) => log.error('Testing the channels failed', { error }))
        .finally(() => {
          progress.running = false
        })
    },

    progress: () => progress,
  }
}

const UNTESTABLE: readonly string[] = ['channel.test_no_model', 'channel.test_not_testable', 'channel.test_no_chats']

const isUntestable = (error: unknown) => error instanceof GatewayError && UNTESTABLE.includes(error.code)

function reasonOf(error: unknown) {
  if (error instanceof VendorError) return error.failure.message.slice(0, 500)
  if (error instanceof GatewayError) return error.in('zh')
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown'
}
