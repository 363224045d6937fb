import { join } from 'node:path'
import type { Clock } from '../common/clock.ts'
import type { Config } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import { start } from '../process/start.ts'
import { fakeUpstream } from '../testing/fake-upstream.ts'
import { makeHistory } from './history.ts'
import { setUpDemo } from './set-up.ts'

const PASSWORD = 'tollgate-demo'

/** Moves through the past week while its history is made, then shows the real time. */
export interface DemoClock extends Clock {
  goTo(ms: number): void
  goHome(): void
}

/**
 * The whole product with a provider of its own, so that a visitor sees streams, billing and charts without any key.
 * Nothing is invented: the history is made by sending calls through the relay, with the clock set back.
 */
export const startDemo = async (config: Config, log: Log) => {
  const upstream = fakeUpstream()
  const clock = demoClock()
  const quiet: Log = { ...log, info: () => {} }
  const demoConfig: Config = {
    ...config,
    database: join(config.dataDir, `demo-${Date.now()}.db`),
    rootPassword: PASSWORD,
    limits: { api: 0, web: 0, critical: 0 },
  }
  const running = await start(demoConfig, quiet, clock)
  const url = `http://127.0.0.1:${running.url.port}`
  log.info('Making a week of history …')
  const people = await setUpDemo(url, PASSWORD, upstream.url)
  const calls = await makeHistory(url, people, clock)
  clock.goHome()
  log.info(`Tollgate demo: ${url.replace('127.0.0.1', 'localhost')}  user root, password ${PASSWORD}`, { calls })
  return {
    ...running,
    async stop() {
      await running.stop()
      upstream.stop()
    },
  }
}

function demoClock(): DemoClock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    goTo(ms) {
      offset = ms - Date.now()
    },
    goHome() {
      offset = 0
    },
  }
}
