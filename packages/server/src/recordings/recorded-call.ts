import type { Outcome, RecordingSettings } from '@tollgate/contract'
import { type HeldBody, heldStream, heldText, NO_BODY, wholeBody } from './held-body.ts'
import type { Memory } from './memory.ts'

/** Whose call it is, and what was agreed on. */
export interface RecordedFacts {
  requestId: string
  userId: number
  tokenId: number
  operation: string
  /** The caller's own, which is never kept. */
  key: string
  createdAt: number
  settings: RecordingSettings
}

export interface EndedCall extends RecordedFacts {
  status: number
  isStream: boolean
  request: HeldBody
  response: HeldBody
  /** What the copies take of the memory, until somebody gives it back. */
  taken: number
}

interface Needs {
  memory: Memory
  onEnd(call: EndedCall): void
  /** There was no room for it. */
  onDropped(): void
}

export type RecordedCall = ReturnType<typeof recordedCall>

/**
 * The copy of a call while it runs, as its caller sees it. It is kept when the call has ended and has an entry in the log
 * that says so, whichever comes first: who leaves in the middle ends before his call is settled.
 */
export const recordedCall = (facts: RecordedFacts, { memory, onEnd, onDropped }: Needs) => {
  let request = NO_BODY
  let response = NO_BODY
  let stream: ReturnType<typeof heldStream> | undefined
  let taken = 0
  let status: number | undefined
  let isEntered = false
  let isKept = false
  let isOver = false

  const forget = () => {
    isOver = true
    memory.free(taken)
    taken = 0
    request = NO_BODY
    response = NO_BODY
    stream = undefined
  }

  const hold = (bytes: number) => {
    if (isOver) return false
    if (memory.take(bytes)) {
      taken += bytes
      return true
    }
    forget()
    onDropped()
    return false
  }

  const finish = () => {
    if (isOver || status === undefined || !isEntered) return
    if (!isKept) return forget()
    isOver = true
    onEnd({ ...facts, status, isStream: stream !== undefined, request, response: stream?.body() ?? response, taken })
  }

  const answered = (bytes: Uint8Array, type: string) => {
    if (hold(bytes.length)) response = wholeBody(bytes, type)
  }

  const end = (answeredWith: number) => {
    if (status !== undefined) return
    status = answeredWith
    finish()
  }

  return {
    /** The body as it came. */
    received(body: string | FormData) {
      const held = heldText(body)
      if (hold(held.taken)) request = held
    },

    answered,

    /** The answer comes in pieces. */
    streams(type: string) {
      stream = heldStream(type)
    },

    piece(bytes: Uint8Array) {
      if (status !== undefined || stream === undefined) return
      const wanted = stream.wants(bytes)
      if (wanted === 0 || hold(wanted)) stream?.add(bytes)
    },

    /** The call was settled or refused; answers whether its entry in the log may say that there is a recording. */
    entered(outcome: Outcome, hasEntry = true) {
      isEntered = true
      const failed = outcome !== 'success' && outcome !== 'canceled'
      isKept ||= hasEntry && (facts.settings.scope === 'all' || failed)
      const willBeKept = isKept && !isOver
      finish()
      return willBeKept
    },

    end,

    /** Refused, with an answer of ours. A call without an entry of its own is not kept. */
    async refused(answer: Response) {
      if (!isEntered) return forget()
      answered(await answer.clone().bytes(), 'application/json')
      end(answer.status)
    },
  }
}
