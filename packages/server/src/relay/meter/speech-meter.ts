import type { Metering } from '../answer.ts'
import { measureAudio } from './audio-length.ts'
import { speechTokens } from './speech-tokens.ts'

/** PCM has no header: 24 kHz and 16 bits. */
const SAMPLED_BYTES_PER_SEC = 48_000

export interface SpeechMeter extends Metering {
  read(bytes: Uint8Array): void
}

/** Measures the duration of raw audio so far. Such an answer reports no usage. */
export const createSpeechMeter = (format: unknown): SpeechMeter => {
  const sound = measureAudio()
  const seconds = () => (format === 'pcm' ? sound.size() / SAMPLED_BYTES_PER_SEC : sound.seconds())
  return {
    read: (bytes) => sound.push(bytes),
    reported: () => undefined,
    reportedInput: () => ({}),
    counts: 'audioOutput',
    counted: () => speechTokens(seconds()),
    reports: false,
    hasContent: () => sound.size() > 0,
    announced: () => false,
  }
}
