import { ChannelStatus, type Text } from '@tollgate/contract'
import { VendorError } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Route, routeWithKey } from '../catalog/snapshot.ts'
import { testKindOf, testModelOf } from '../catalog/test-model.ts'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { upstreamText } from '../common/upstream-sentences.ts'
import type { SharedRun } from '../jobs/shared-run.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { NotificationsService } from '../notifications/notifications-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Probe } from '../relay/probe.ts'
import type { Health } from '../upstream/health.ts'
import { isOfKey, type KeyPools } from '../upstream/key-pools.ts'
import type { Lease } from '../upstream/lease.ts'
import type { ChannelKeysService } from './channel-keys-service.ts'
import type { ChannelsService } from './channels-service.ts'
import type { FailureReaction } from './failure-reaction.ts'
import { freshRoute, freshRouteWithKey, routeWithFirstKey } from './fresh-route.ts'

export type ChannelChecks = ReturnType<typeof createChannelChecks>

interface Needs {
  catalog: CatalogService
  channels: ChannelsService
  channelKeys: ChannelKeysService
  probe: Probe
  health: Health
  keyPools: KeyPools
  logs: LogsService
  options: OptionsService
  notifications: NotificationsService
  reaction: FailureReaction
  run: SharedRun
  clock: Clock
}

/** Who started a test, and with which request. */
interface By {
  actor: Pick<Actor, 'id' | 'username'>
  requestId: string
}

/** The maximum length of a model's answer that is shown and stored. */
const ANSWER_TEXT_MAX = 200

/** Channel tests: one on request, or many in the background. */
export const createChannelChecks = (needs: Needs) => {
  const { catalog, channels, channelKeys, probe, health, keyPools, logs, options } = needs
  const { notifications, reaction, run, clock } = needs

  const testAndNote = async (route: Route, asked: string, by: By): Promise<Outcome> => {
    const model = testModelOf([...route.models], asked, route.testModel)
    if (model === undefined) throw new GatewayError('channel.test_no_model')
    const kind = testKindOf(model)
    if (kind === undefined) throw new GatewayError('channel.test_not_testable', { model })
    const startedAt = clock.now()
    const outcome = await probe(route, model, kind).then(
      // 0 means "never tested" to clients.
      ({ ms, text }) => ({ model, ms: Math.max(1, Math.round(ms)), text: text.slice(0, ANSWER_TEXT_MAX) }),
      (error: unknown) => ({ model, ms: Math.round(clock.now() - startedAt), error }),
    )
    const { actor: user, requestId } = by
    const content = logTextOf(outcome, route.poolKey?.hint)
    await logs.noteTest({ user, channel: route.id, model, ms: outcome.ms, requestId, content })
    return outcome
  }

  /**
   * A key of a pool that its vendor rejects is set aside, and one that is rate-limited cools down, as after a call. Keys that no call
   * gets are left as they are, and so is the channel after any other failure.
   */
  const noteKeyFailure = (route: Route, outcome: Outcome) => {
    if (!('error' in outcome)) return outcome
    const { error, model } = outcome
    if (!(error instanceof VendorError) || !isOfKey(error.failure)) return outcome
    if (!route.pool?.keys.some(({ id }) => id === route.poolKey?.id)) return outcome
    reaction.failed({ route, lease: keyPools.again(route, model, health.take(route.id, model)) }, error.failure)
    return outcome
  }

  const test = async (route: Route, asked: string, by: By): Promise<Outcome> => {
    const outcome = await testAndNote(route, asked, by)
    const at = seconds(clock)
    const found = 'error' in outcome ? { at, ms: 0, error: reasonOf(outcome.error) } : { at, ms: outcome.ms }
    await channels.saveTest(route.id, found)
    return outcome
  }

  const testKey = async ({ channel, key }: { channel: number; key: number }, asked: string, by: By) => {
    const route = routeWithKey(await freshRoute(needs, channel), await channelKeys.routable(channel, key))
    if (route === undefined) throw new GatewayError('channel.no_key')
    const outcome = noteKeyFailure(route, await testAndNote(route, asked, by))
    const at = seconds(clock)
    const found = 'error' in outcome ? { at, ms: 0, error: reasonOf(outcome.error).en } : { at, ms: outcome.ms }
    await channelKeys.saveTest(key, found)
    return outcome
  }

  /** A failure has the time and the model too: existing consoles show them. */
  const answered = async (testing: Promise<Outcome>, asked: string) => {
    const outcome = await testing.catch((error: unknown) => {
      if (error instanceof GatewayError) return { model: asked, ms: 0, error }
      throw error
    })
    const { model, ms } = outcome
    const extra = { time: ms / 1000, model, modelName: model }
    if (!('error' in outcome)) return { text: outcome.text, extra }
    throw refusalOf(outcome.error, extra)
  }

  /** Applies the result of a full test. */
  const judge = async (route: Route, outcome: Outcome, lease: Lease) => {
    const reason = 'error' in outcome ? failing(outcome.error, lease) : slow(outcome.ms)
    if (reason !== undefined) {
      if (route.status !== ChannelStatus.enabled || (await reaction.disable(route, reason))) return
      return notifications.channelChanged({ channel: route, change: 'failing', reason })
    }
    if ('error' in outcome) return
    lease.succeeded()
    if (route.status !== ChannelStatus.autoDisabled || !options.values().AutomaticEnableChannelEnabled) return
    if (!(await channels.autoEnable(route.id))) return
    if (route.poolKey !== undefined) await channelKeys.restore(route.id, route.poolKey.id)
    health.reset(route.id)
    await notifications.channelChanged({ channel: route, change: 'enabled', reason: { zh: '', en: '' } })
  }

  const failing = (error: unknown, lease: Lease) =>
    error instanceof VendorError && lease.failed(error.failure).disable ? reasonOf(error) : undefined

  const slow = (ms: number): Text | undefined => {
    const limitMs = options.values().ChannelDisableThreshold * 1000
    if (limitMs <= 0 || ms <= limitMs) return undefined
    return {
      zh: `响应时间 ${ms} 毫秒，超过了 ${limitMs} 毫秒`,
      en: `It took ${ms} ms to answer, longer than ${limitMs} ms`,
    }
  }

  /** False when the channel failed. */
  const testInTurn = async (channel: Route, by: By) => {
    const route = routeWithFirstKey(channel, clock)
    if (route === undefined) return true
    const model = testModelOf([...route.models], '', route.testModel) ?? ''
    const lease = keyPools.again(route, model, health.take(route.id, model))
    try {
      const outcome = await test(route, '', by)
      // A channel that cannot be tested does not count as failed.
      if ('error' in outcome && isUntestable(outcome.error)) return true
      await judge(route, outcome, lease)
      return !('error' in outcome)
    } catch (error) {
      if (isUntestable(error)) return true
      throw error
    } finally {
      lease.release()
    }
  }

  return {
    /** The model's answer and the time in seconds. */
    test: (id: number, asked: string, by: By) =>
      answered(
        freshRouteWithKey(needs, id).then(async (route) => noteKeyFailure(route, await test(route, asked, by))),
        asked,
      ),

    /** One key of a pool, whatever its status. */
    testKey: (which: { channel: number; key: number }, asked: string, by: By) =>
      answered(testKey(which, asked, by), asked),

    /** Starts in the background; `progress` reports its state. One run at a time across all nodes. */
    async startTests(scope: 'all' | 'disabled', by: By) {
      const isBegun = await run.start({
        async list() {
          await catalog.reload()
          const routes = [...catalog.snapshot().routes.values()]
          return scope === 'all' ? routes : routes.filter(({ status }) => status !== ChannelStatus.enabled)
        },
        each: (route: Route) => testInTurn(route, by),
      })
      if (!isBegun) throw new GatewayError('channel.tests_running')
    },

    progress: run.progress,
  }
}

/** The time and answer of a model, or the error. */
type Outcome = { model: string; ms: number } & ({ text: string } | { error: unknown })

function logTextOf(outcome: Outcome, hint?: string) {
  const [zh, en] = hint === undefined ? ['', ''] : [`（密钥 …${hint}）`, ` (key …${hint})`]
  if ('error' in outcome) {
    const reason = reasonOf(outcome.error)
    return { zh: `渠道测试失败${zh}：${reason.zh}`, en: `Test failed${en}: ${reason.en}` }
  }
  const { ms, text } = outcome
  return { zh: `渠道测试成功${zh}，耗时 ${ms} 毫秒：${text}`, en: `Test passed${en} in ${ms} ms: ${text}` }
}

const UNTESTABLE: readonly string[] = ['channel.test_no_model', 'channel.test_not_testable', 'channel.test_no_chats']

const isUntestable = (error: unknown) => error instanceof GatewayError && UNTESTABLE.includes(error.code)

function refusalOf(error: unknown, extra: Record<string, unknown>) {
  if (error instanceof GatewayError) return new GatewayError(error.code, error.values, { cause: error, extra })
  return new GatewayError('channel.test_failed', { reason: reasonOf(error) }, { cause: error, extra })
}

function reasonOf(error: unknown): Text {
  if (error instanceof GatewayError) return { zh: error.in('zh'), en: error.in('en') }
  return upstreamText(error instanceof VendorError ? error.failure.message.slice(0, 500) : messageOf(error))
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown'
}
