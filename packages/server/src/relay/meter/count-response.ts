import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'
import { audioSecondsIn } from './audio-length.ts'
import { audioTokens, countInput } from './estimate.ts'
import { tokensOfPicture } from './picture-output.ts'
import { contentBytes, tokensOfBytes } from './response-text.ts'
import { spokenTokens } from './spoken-tokens.ts'

/**
 * What an answer used, for vendors that report nothing: the text that a model wrote is counted, not the JSON around it.
 * Vectors and judgements are paid by what they were made from, transcripts by the time of the sound as well, pictures
 * by their number, voices by how long they speak.
 */
export const countResponse = (call: Call, bytes: Uint8Array): Usage => {
  const { operation } = call
  const written = () => tokensOfBytes(isJson(bytes) ? contentBytes(bytes) : bytes.byteLength)
  if (operation.name.startsWith('audio/trans')) return { ...NO_USAGE, audioInput: audioTokens(call), output: written() }
  const input = countInput(call)
  if (operation.name === 'audio/speech') return { ...input, audioOutput: spokenTokens(audioSecondsIn(bytes)) }
  if (operation.name.startsWith('images/')) return { ...input, imageOutput: picturesIn(bytes) * tokensOfPicture(call) }
  return { ...input, output: operation.writes ? written() : 0 }
}

/** Transcripts may come as nothing but text. Blanks keep a connection alive until the answer begins. */
const isJson = (bytes: Uint8Array) => bytes.find((byte) => byte > SPACE) === OPENING_BRACE

const SPACE = 32
const OPENING_BRACE = 123

function picturesIn(bytes: Uint8Array) {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
    return Array.isArray(data) ? data.length : 1
  } catch {
    return 1
  }
}
