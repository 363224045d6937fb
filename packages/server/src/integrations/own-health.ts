/** Whether the server of this machine takes work: the question of container engines, for whom a program is easier than a call. */
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
