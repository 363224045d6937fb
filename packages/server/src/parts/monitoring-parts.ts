import { seconds } from '../common/clock.ts'
import type { Config } from '../common/config.ts'
import { type CallMetrics, createCallMetrics } from '../metrics/call-metrics.ts'
import { exposition } from '../metrics/exposition.ts'
import { createProcessMetrics } from '../metrics/process-metrics.ts'
import type { Watchdog } from '../relay/timeouts/watchdog.ts'
import type { BaseParts } from './base-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

interface Needs extends PartsNeeds, BaseParts {
  watchdog: Watchdog
  callMetrics: CallMetrics | undefined
}

const isScraped = ({ metricsToken, metricsPort }: Config) => metricsToken !== undefined || metricsPort !== undefined

/** The counters of calls; undefined if nobody reads them. */
export const countersFor = (config: Config) =>
  isScraped(config) || config.otlp?.metricsUrl !== undefined ? createCallMetrics() : undefined

/** Metrics for Prometheus, and telemetry for a collector. */
export const buildMonitoring = (needs: Needs) => {
  const { config, books, clock, log, redis, createTelemetry, http, recorder, watchdog, callMetrics } = needs
  const redisAnswers = () => redis?.answers() ?? true
  const processMetrics = () =>
    createProcessMetrics({
      openCalls: watchdog.running,
      ledger: books.writer,
      databaseAnswers: books.writer.answers,
      redisAnswers,
      startedAtSec: seconds(clock),
      recordingsDropped: recorder.dropped,
    })
  const telemetry =
    config.otlp && createTelemetry?.({ config: config.otlp, http, clock, log, callMetrics, process: processMetrics() })
  const scrapedProcess = processMetrics()
  return {
    /** Undefined if they are not configured. */
    metrics:
      isScraped(config) && callMetrics ? () => exposition([...callMetrics.read(), ...scrapedProcess()]) : undefined,
    /** Undefined if nobody is notified. */
    telemetry,
    /** False while calls are refused because the database keeps the ledger waiting. */
    ledgerAnswers: () => books.writer.answers(),
    ledgerTakesWrites: () => books.writer.takesWrites(),
    /** The file of the embedded database was replaced or removed. */
    databaseReplaced: () => books.isReplaced(),
    /** True without Redis, too. */
    redisAnswers,
  }
}
