import type { Config } from '../common/config.ts'
import { metricsAnswer } from '../metrics/metrics-answer.ts'
import { WORKER } from './supervise.ts'

/** Metrics on a separate port, which can be kept inside a network; undefined without one. */
export const serveMetrics = (
  { host, metricsPort, metricsToken }: Pick<Config, 'host' | 'metricsPort' | 'metricsToken'>,
  text: (() => string) | undefined,
) => {
  if (metricsPort === undefined || text === undefined) return undefined
  return Bun.serve({
    port: metricsPort + Number(process.env[WORKER] ?? 0),
    hostname: host,
    development: false,
    fetch: (request) =>
      URL.parse(request.url)?.pathname === '/metrics'
        ? metricsAnswer(request, metricsToken, text)
        : new Response('Not found\n', { status: 404 }),
  })
}
