import { join } from 'node:path'
import type { Config } from '../common/config.ts'
import type { Log } from '../common/log.ts'
import { start } from '../process/start.ts'
import { createDemoClock } from './demo-clock.ts'
import { startDemoProvider } from './demo-provider.ts'
import { makeHistory } from './history.ts'
import { setUpDemo } from './set-up.ts'

const PASSWORD = 'tollgate-demo'

/**
 * The whole product with a built-in provider, so that a visitor sees streams, billing and charts without any key. Nothing is
 * faked: the history is created by sending calls through the relay with the clock set back.
 */
export const startDemo = async (config: Config, log: Log) => {
  const provider = startDemoProvider()
  const clock = createDemoClock()
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
  const people = await setUpDemo(url, PASSWORD, provider.url)
  const calls = await makeHistory(url, people, clock)
  clock.goHome()
  log.info(`Tollgate demo: ${url.replace('127.0.0.1', 'localhost')}  user root, password ${PASSWORD}`, { calls })
  return {
    ...running,
    async stop() {
      await running.stop()
      provider.stop()
    },
  }
}
