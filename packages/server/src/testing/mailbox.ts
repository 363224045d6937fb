import { onTestFinished } from 'bun:test'
import type { TestApp } from './app.ts'
import { setOptions } from './makers.ts'
import { type ReceivedMail, smtpServer } from './outside/smtp-server.ts'

/** A mail server, configured as an operator would. It ends with the test. */
export const withMail = async (app: TestApp) => {
  const server = await smtpServer()
  onTestFinished(server.stop)
  await setOptions(app, { SMTPServer: server.host, SMTPPort: server.port, SMTPFrom: 'noreply@tollgate.test' })
  return server
}

/** The six digits in a mail, or an empty text. */
export const codeIn = ({ text }: ReceivedMail) => /\b\d{6}\b/.exec(text)?.[0] ?? ''

/** The link in a mail. */
export const linkIn = ({ text }: ReceivedMail) => new URL(/https?:\S+/.exec(text)?.[0] ?? '')
