import { failureOf, type UpstreamFailure } from '@tollgate/providers'

/** A failure with our own message. The runtime's messages contain the whole URL, and some services take a key in the query. */
export class Fault extends Error {}

/** The server's answer is not valid HTTP. The message is ours, so it may be logged. */
export class ProtocolError extends Fault {}

/** The channel's proxy failed. The message continues "The proxy of the channel failed: ". */
export class ProxyFault extends Fault {}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'

/** The protocol error in a chain of causes, wherever in an answer it occurred. */
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
