import { monitorEventLoopDelay } from 'node:perf_hooks'
import { VERSION } from '../common/version.ts'
import { type Metric, single } from './metric.ts'

interface Needs {
  /** Calls in progress. */
  openCalls(): number
  ledger: { waiting(): number; commits(): { count: number; seconds: number } }
  databaseAnswers(): boolean
  redisAnswers(): boolean
  startedAtSec: number
  recordingsDropped(): number
}

/** Metrics of the process. The event loop is monitored from the first scrape on. */
export const createProcessMetrics = (needs: Needs) => {
  const { openCalls, ledger, databaseAnswers, redisAnswers, startedAtSec, recordingsDropped } = needs
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined
  const gauge = (name: string, help: string, value: number) => single('gauge', name, help, value)
  const counter = (name: string, help: string, value: number) => single('counter', name, help, value)

  const loopDelay = () => {
    if (delay === undefined) {
      delay = monitorEventLoopDelay({ resolution: 20 })
      delay.enable()
      return 0
    }
    const seconds = delay.percentile(99) / 1e9
    delay.reset()
    return Number.isFinite(seconds) ? seconds : 0
  }

  return (): Metric[] => {
    const { user, system } = process.cpuUsage()
    const commits = ledger.commits()
    return [
      {
        ...{ name: 'tollgate_info', type: 'gauge', help: 'The version that runs.' },
        points: [{ labels: { version: VERSION }, value: 1 }],
      },
      gauge('tollgate_open_calls', 'Calls that are being answered.', openCalls()),
      gauge('tollgate_ledger_waiting', 'Commands that wait for the ledger.', ledger.waiting()),
      counter('tollgate_ledger_commits_total', 'Transactions of the ledger.', commits.count),
      counter('tollgate_ledger_commit_seconds_total', 'Time that they took.', commits.seconds),
      gauge('tollgate_database_up', 'Whether the ledger gets answers from the database.', Number(databaseAnswers())),
      gauge('tollgate_redis_up', 'Whether Redis answers, or none is set.', Number(redisAnswers())),
      counter('tollgate_recordings_dropped_total', 'Recordings that were lost.', recordingsDropped()),
      gauge('tollgate_event_loop_delay_seconds', 'The 99th percentile since the last scrape.', loopDelay()),
      gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
      counter('process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'When the process started.', startedAtSec),
    ]
  }
}
