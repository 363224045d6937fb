import { createSharedTimer } from '../common/shared-timer.ts'
import type { Answer, AnswerChunk } from './answer.ts'

type StreamedAnswer = Pick<Extract<Answer, { kind: 'stream' }>, 'next' | 'meter'>

/** A client that disconnects near the end has used all of it; one that disconnects early must not make the vendor write on. */
const READ_ON_BYTES_MAX = 256 * 1024

const timers = new Map<number, () => Promise<void>>()

const passed = (seconds: number) => {
  const known = timers.get(seconds)
  if (known !== undefined) return known()
  const timer = createSharedTimer(seconds * 1000)
  timers.set(seconds, timer)
  return timer()
}

interface Left {
  /** The pending read. */
  reading: Promise<AnswerChunk | undefined> | undefined
  /** The maximum duration; 0 disables it. */
  seconds: number
}

/** The client has disconnected: the stream is read a short while longer until the vendor reports usage. */
export const readUntilUsage = async (answer: StreamedAnswer, { reading, seconds }: Left) => {
  if (seconds === 0) return
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
  // A vendor that breaks off now has nothing more to report.
  await Promise.race([untilReported().catch(() => {}), passed(seconds)])
  over = true
}
