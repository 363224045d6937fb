import { failureOf, VendorError } from '@tollgate/providers'
import type { Reply } from '../../upstream/reply.ts'
import { type Answer, type AnswerChunk, resumed } from '../answer.ts'
import { createSpeechMeter } from '../meter/speech-meter.ts'
import { acceptStream, STREAM_TYPE } from './pass-stream.ts'
import type { PassedCall } from './passed-call.ts'

/** Speech is streamed: as raw audio, or as events that contain it and report usage at the end. */
export async function acceptSpeech(reply: Reply, passed: PassedCall, type: string): Promise<Answer> {
  if (type.toLowerCase().startsWith(STREAM_TYPE)) return acceptStream(reply, passed)
  const meter = createSpeechMeter(passed.call.body.response_format ?? 'mp3')
  const next = async (): Promise<AnswerChunk | undefined> => {
    const bytes = await reply.read()
    if (bytes === undefined) return undefined
    meter.read(bytes)
    return { bytes, ending: undefined }
  }
  const first = await next()
  if (first === undefined) throw new VendorError(failureOf('server', 'The upstream sent nothing'))
  return { kind: 'stream', type, meter, next: resumed(first, next), mask: passed.mask, failed: () => '', bare: true }
}
