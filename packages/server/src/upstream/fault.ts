import { failureOf, type UpstreamFailure } from '@tollgate/providers'

/** A failure in our own words. The runtime's texts repeat the whole URL, and some services take a key in the query. */
export class Fault extends Error {}

/** What a server sent is no HTTP. The words are ours, so whoever reads the log may see them. */
export class ProtocolError extends Fault {}

/** The proxy of a channel is at fault. The words are ours and go on "The proxy of the channel failed: ". */
export class ProxyFault extends Fault {}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'

/** The server's mistake in how it speaks, wherever in an answer it came to light. */
export const protocolErrorIn = (error: unknown): ProtocolError | undefined => causeIn(error, ProtocolError)

export const proxyFaultIn = (error: unknown): ProxyFault | undefined => causeIn(error, ProxyFault)

function causeIn<Kind extends Fault>(error: unknown, kind: new (message: string) => Kind): Kind | undefined {
  if (error instanceof kind) return error
  return error instanceof Error && error.cause !== undefined ? causeIn(error.cause, kind) : undefined
}

export const proxyFailure = ({ message }: ProxyFault): UpstreamFailure =>
  failureOf('server', `The proxy of the channel failed: ${message}`, { status: 502, end: 'unreachable' })

export const notHttpFailure = ({ message }: ProtocolError): UpstreamFailure =>
  failureOf('server', `The upstream's answer is not valid HTTP: ${message}`, { status: 502, end: 'cut_off' })
