import type { UpstreamRequest } from '@tollgate/providers'
import { asReply, type Reply } from './reply.ts'
import { type SocketRequest, type Sockets, UpgradeRefused } from './sockets.ts'

/** Messages that may wait for their reader; then the vendor waits too. */
const WAITING_MAX = 16

const encoder = new TextEncoder()

/**
 * A question and its answer over a WebSocket: the body is the one message that goes up, and each message that comes
 * down is one chunk of the answer's body, never half of one or two. A refused upgrade is an answer like any other refusal.
 */
export const sendOverWebSocket = async (
  sockets: Sockets,
  { url, headers, body }: UpstreamRequest,
  way: Pick<SocketRequest, 'proxy' | 'signal'>,
): Promise<Reply> => {
  const socket = await sockets(url, { policy: 'admin', headers, ...way }).catch((error) => {
    if (error instanceof UpgradeRefused) return error
    throw error
  })
  if (socket instanceof UpgradeRefused) return asReply(new Response(socket.body, { status: socket.status }))
  if (typeof body === 'string') socket.send(body)
  let left = false
  const messages = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        socket.listen({
          message(data) {
            if (left) return
            controller.enqueue(typeof data === 'string' ? encoder.encode(data) : data)
            if ((controller.desiredSize ?? 0) <= 0) socket.pause()
          },
          closed({ clean }) {
            if (left) return
            if (clean) controller.close()
            else controller.error(new Error('The socket broke off'))
          },
        })
      },
      pull: () => socket.resume(),
      cancel() {
        left = true
        socket.close(1000)
      },
    },
    new CountQueuingStrategy({ highWaterMark: WAITING_MAX }),
  )
  return asReply(new Response(messages, { headers: { 'content-type': 'application/websocket' } }))
}
