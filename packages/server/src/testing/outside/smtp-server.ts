import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ParsedMail, parseMail } from './parse-mail.ts'

export interface ReceivedMail extends ParsedMail {
  envelope: { from: string; to: string[] }
  /** Whether the message was sent over TLS, and the user that the client logged in as. */
  secure: boolean
  user: string | undefined
  raw: string
}

export interface SmtpOptions {
  account?: string
  token?: string
  /** `implicit` as on port 465, `starttls` offered in the greeting, `none` for a plain server. */
  tls?: 'implicit' | 'starttls' | 'none'
  certificate?: { key: string; cert: string }
}

/** A real SMTP server on a free local port. `waitForMail` resolves when a message has arrived, so that no test sleeps. */
export async function smtpServer({ account, token, tls = 'none', certificate }: SmtpOptions = {}) {
  const received: ReceivedMail[] = []
  const logins: string[] = []
  const waiting = new Set<() => void>()
  const handedOut = new Set<ReceivedMail>()

  const server = new SMTPServer({
    ...certificate,
    secure: tls === 'implicit',
    authOptional: account === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(account === undefined ? ['AUTH'] : [])],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      logins.push(username ?? '')
      if (username === account && password === token) return done(null, { user: username })
      done(new Error(`Wrong password: ${password}`)) // real servers do repeat what they were sent
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          ...parseMail(raw),
          envelope: { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) },
          secure: session.secure,
          user: session.user,
          raw,
        })
        for (const look of waiting) look()
        done()
      })
    },
  })
  server.on('error', () => {}) // a client that breaks off a handshake is what some tests are about

  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', () => listening.resolve())
  await listening.promise
  // A server that listens on TCP has an AddressInfo; the other shapes are for pipes and closed servers.
  const { port } = server.server.address() as AddressInfo

  /** The next message for this address that was not returned yet. */
  function waitForMail(to: string): Promise<ReceivedMail> {
    const delivery = Promise.withResolvers<ReceivedMail>()
    const look = () => {
      const mail = received.find((candidate) => candidate.envelope.to.includes(to) && !handedOut.has(candidate))
      if (mail === undefined) return
      handedOut.add(mail)
      waiting.delete(look)
      delivery.resolve(mail)
    }
    waiting.add(look)
    look()
    return delivery.promise
  }

  const stop = () => {
    const closed = Promise.withResolvers<void>()
    server.close(() => closed.resolve())
    return closed.promise
  }
  return { host: '127.0.0.1', port, received, logins, waitForMail, stop }
}
