import type { Outcome, RecordingSettings } from '@tollgate/contract'
import { type HeldBody, heldStream, heldText, NO_BODY, wholeBody } from './held-body.ts'
import type { Memory } from './memory.ts'

/** The call's owner and settings. */
export interface RecordedFacts {
  requestId: string
  userId: number
  tokenId: number
  operation: string
  /** The caller's own key, which is never stored. */
  key: string
  createdAt: number
  settings: RecordingSettings
}

export interface EndedCall extends RecordedFacts {
  status: number
  isStream: boolean
  request: HeldBody
  response: HeldBody
  /** The memory used by the copies, until it is given back. */
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
 * The copy of a running call, as its caller sees it. It is stored when the call has ended and has a log entry, whichever comes
 * first: a client that disconnects ends before its call is settled.
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
    /** The body as received. */
    received(body: string | FormData) {
      const held = heldText(body)
      if (hold(held.taken)) request = held
    },

    answered,

    /** The answer is streamed. */
    streams(type: string) {
      stream = heldStream(type)
    },

    piece(bytes: Uint8Array) {
      if (status !== undefined || stream === undefined) return
      const wanted = stream.wants(bytes)
      if (wanted === 0 || hold(wanted)) stream?.add(bytes)
    },

    /** The call was settled or refused; returns whether its log entry may mention a recording. */
    entered(outcome: Outcome, hasEntry = true) {
      isEntered = true
      const failed = outcome !== 'success' && outcome !== 'canceled'
      isKept ||= hasEntry && (facts.settings.scope === 'all' || failed)
      const willBeKept = isKept && !isOver
      finish()
      return willBeKept
    },

    end,

    /** Refused with an answer of the gateway. A call without an entry of its own is not stored. */
    async refused(answer: Response) {
      if (!isEntered) return forget()
      answered(await answer.clone().bytes(), 'application/json')
      end(answer.status)
    },
  }
}
