/** The client's end of a realtime conversation. */
export interface ClientSocket {
  /** Negative when the message has to wait: `drained` will be called. */
  send(message: string | Uint8Array): number
  pause(): void
  resume(): void
  close(code: number, reason: string): void
}

/** Two connected sockets, driven by the server's end of the client's socket. */
export interface Conversation {
  onOpen(client: ClientSocket): void
  onMessage(message: string | Uint8Array): void
  drained(): void
  left(code: number): void
}
