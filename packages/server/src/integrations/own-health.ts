/** Whether the local server is ready: the health check of container engines, which prefer a command over an HTTP call. */
export const isReady = async ({ port, host }: { port: number; host: string }) => {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  try {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/readyz`
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return ok
  } catch {
    return false
  }
}
