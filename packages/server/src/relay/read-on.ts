import { createSharedTimer } from '../common/shared-timer.ts'
import type { Answer, AnswerChunk } from './answer.ts'

type StreamedAnswer = Pick<Extract<Answer, { kind: 'stream' }>, 'next' | 'meter'>

/** Whoever leaves shortly before the end has used all of it; whoever leaves long before shall not make a vendor write on. */
const READ_ON_MS = 5000
const READ_ON_BYTES_MAX = 256 * 1024

const tooLong = createSharedTimer(READ_ON_MS)

/**
 * The client has left an answer: the vendor is listened to until it reports the usage, for a short while. `reading` is
 * the piece that was being waited for.
 */
export const readOn = async (answer: StreamedAnswer, reading: Promise<AnswerChunk | undefined> | undefined) => {
  let over = false
  const untilReported = async () => {
    let bytes = 0
    let piece = reading === undefined ? undefined : await reading
    for (;;) {
      if (over || piece?.ending !== undefined || answer.meter.reported() !== undefined) return
      piece = await answer.next(Number.POSITIVE_INFINITY)
      bytes += piece?.bytes.length ?? 0
      if (piece === undefined || bytes > READ_ON_BYTES_MAX) return
    }
  }
  // A vendor that breaks off now has nothing more to tell.
  await Promise.race([untilReported().catch(() => {}), tooLong()])
  over = true
}
