import type { Metering } from '../answer.ts'
import { measureSound } from './audio-length.ts'
import { spokenTokens } from './spoken-tokens.ts'

/** Samples as they are have no head that says so: 24 kHz and 16 bits. */
const SAMPLED_BYTES_PER_SEC = 48_000

export interface SpeechMeter extends Metering {
  read(bytes: Uint8Array): void
}

/** Of a voice that comes as nothing but sound: how long it has spoken so far. Such an answer reports nothing. */
export const createSpeechMeter = (format: unknown): SpeechMeter => {
  const sound = measureSound()
  const seconds = () => (format === 'pcm' ? sound.size() / SAMPLED_BYTES_PER_SEC : sound.seconds())
  return {
    read: (bytes) => sound.push(bytes),
    reported: () => undefined,
    reportedInput: () => ({}),
    counts: 'audioOutput',
    counted: () => spokenTokens(seconds()),
    reports: false,
    hasContent: () => sound.size() > 0,
  }
}
