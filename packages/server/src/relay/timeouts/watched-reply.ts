import type { Deadline } from '../../upstream/open.ts'
import type { Reply } from '../../upstream/reply.ts'

/** A reply that is passed on while it arrives, within its deadline. The idle timeout is paused while the caller reads. */
export const watchedReply = (reply: Reply, deadline: Deadline, onEnd = () => {}): Reply => {
  const end = () => {
    deadline.clear()
    onEnd()
  }
  return {
    ...{ status: reply.status, ok: reply.ok, headers: reply.headers },
    async read() {
      deadline.extend()
      const chunk = await reply.read().catch((error) => {
        end()
        throw error
      })
      if (chunk === undefined) end()
      else deadline.pause()
      return chunk
    },
    cancel() {
      end()
      reply.cancel()
    },
  }
}
