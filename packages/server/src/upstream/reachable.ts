import type { CheckedHosts } from './checked-hosts.ts'
import { connectTcp } from './http1/tcp-socket.ts'

export type IsReachable = ReturnType<typeof createIsReachable>

const TIMEOUT_MS = 3000

/** Whether a vendor or a proxy accepts connections. Nothing is sent, so a wrong path or password is not noticed. */
export const createIsReachable =
  ({ hosts }: { hosts: CheckedHosts }) =>
  async ({ host, port }: { host: string; port: number }): Promise<boolean> => {
    try {
      for (const address of await hosts(host, 'admin')) {
        if (await accepts(address, port)) return true
      }
    } catch {
      // No such name, or an address that may not be contacted.
    }
    return false
  }

const accepts = (address: string, port: number) =>
  connectTcp({ address, port, tls: undefined, timeoutMs: TIMEOUT_MS, hop: undefined }, undefined).then(
    (wire) => {
      wire.terminate()
      return true
    },
    () => false,
  )
