import type { App } from './app.ts'
import type { Config } from './config.ts'

/** Binds the app to a port. */
export const serveHttp = (app: App, { port, host }: Pick<Config, 'port' | 'host'>) =>
  Bun.serve({
    port,
    hostname: host,
    // The largest body any call takes, with room for the relay's; each reader sets its own, smaller bound.
    maxRequestBodySize: 64 * 1024 * 1024,
    idleTimeout: 60,
    development: false,
    fetch: (request, server) =>
      app.fetch(request, {
        address: () => server.requestIP(request)?.address ?? '',
        quietUpTo: (seconds) => server.timeout(request, seconds),
      }),
  })
