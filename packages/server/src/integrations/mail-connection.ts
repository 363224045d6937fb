import { isIP } from 'node:net'
import { classify } from '../upstream/addresses.ts'

export interface MailSettings {
  server: string
  port: number
  /** Empty together with `token` for a relay without login. */
  account: string
  token: string
  /** The sender's address; the account when empty. */
  from: string
  senderName: string
}

interface Trust {
  /** Certificates to trust instead of the system's. */
  ca: string | undefined
  /** 465, unless a test cannot use that port. */
  implicitTlsPort: number
}

/** The connection to a mail server at its checked address. The name stays in the TLS options, where it is verified. */
export function connectionTo(address: string, { server, port, account, token }: MailSettings, trust: Trust) {
  const isAnonymous = account === '' && token === ''
  return {
    host: address,
    port,
    secure: port === trust.implicitTlsPort,
    // STARTTLS is used wherever it is offered. A login must not cross a network without it.
    requireTLS: !isAnonymous && classify(address) !== 'loopback',
    ...(!isAnonymous && { auth: { user: account, pass: token } }),
    tls: {
      rejectUnauthorized: true, // also where NODE_TLS_REJECT_UNAUTHORIZED=0 is in the environment
      minVersion: 'TLSv1.2' as const,
      ...(isIP(server) === 0 && { servername: server }),
      ...(trust.ca !== undefined && { ca: trust.ca }),
    },
  }
}
