import { type ClientTool, clientCallItem } from './client-tools.ts'
import type { Called, Status } from './items.ts'
import type { Closed, Place } from './open-items.ts'

/**
 * A call of a client tool. Clients read from its first event what it does, so it is opened when its arguments are complete. Nothing
 * is sent in between: OpenAI's library fails on the events for the diff of a patch, which OpenAI itself sends.
 */
export const openClientCall =
  (type: ClientTool) =>
  ({ index, id, emit }: Place, call: Called) => {
    let args = ''
    return {
      kind: 'call' as const,
      index,
      opening: '',
      add(piece: string) {
        args += piece
        return ''
      },
      close(status: Status): Closed {
        const itemIn = (own: Status) => clientCallItem(type, id, { status: own, call: { ...call, arguments: args } })
        const item = itemIn(status)
        const added = emit('response.output_item.added', { output_index: index, item: itemIn('in_progress') })
        return { item, frames: added + emit('response.output_item.done', { output_index: index, item }) }
      },
    }
  }
