/** The caller's end of a conversation. */
export interface ClientSocket {
  /** Negative when the message has to wait: `drained` will be called. */
  send(message: string | Uint8Array): number
  pause(): void
  resume(): void
  close(code: number, reason: string): void
}

/** Two sockets and what passes between them, as the server's end of the caller's socket drives it. */
export interface Conversation {
  onOpen(client: ClientSocket): void
  onMessage(message: string | Uint8Array): void
  drained(): void
  left(code: number): void
}
