import type { UpstreamRequest } from '@tollgate/providers'
import { asReply, type Reply } from './reply.ts'
import { type SocketRequest, type Sockets, UpgradeRefused } from './sockets.ts'

/** The number of unread messages at which the vendor has to wait. */
const WAITING_MAX = 16

const encoder = new TextEncoder()

/**
 * A request and its answer over a WebSocket: the body is the one message sent, and each received message is exactly one chunk of the
 * answer's body. A refused upgrade is an error like any other.
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
