import type { ProxyAddress } from '@tollgate/contract'
import type { CheckedHosts } from '../checked-hosts.ts'
import { checkedProxy } from '../http.ts'
import { connectTcp } from '../http1/tcp-socket.ts'

const TIMEOUT_MS = 3000

/** Whether a proxy accepts connections. Nothing is sent, so a wrong password is not noticed. */
export const createProxyReach =
  ({ hosts }: { hosts: CheckedHosts }) =>
  async (proxy: ProxyAddress): Promise<boolean> => {
    try {
      const { addresses, port } = await checkedProxy(
        { ...proxy, user: '', password: '' },
        { hosts, ca: undefined },
        undefined,
      )
      for (const address of addresses) {
        if (await accepts(address, port)) return true
      }
      return false
    } catch {
      // No such name, or an address that may not be contacted.
      return false
    }
  }

const accepts = (address: string, port: number) =>
  connectTcp({ address, port, tls: undefined, timeoutMs: TIMEOUT_MS, hop: undefined }, undefined).then(
    (wire) => {
      wire.terminate()
      return true
    },
    () => false,
  )
