import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Answer } from '../answer.ts'
import type { Call } from '../surfaces/call.ts'
import type { Operation } from '../surfaces/operation.ts'
import { audioSecondsIn } from './audio-length.ts'
import { audioTokens, countInput } from './estimate.ts'
import { tokensOfImage } from './image-output.ts'
import { rankedUnits } from './ranked-units.ts'
import { contentBytes, outputMembers, tokensOfBytes } from './response-text.ts'
import { speechTokens } from './speech-tokens.ts'

type Answered = Pick<Extract<Answer, { kind: 'complete' }>, 'bytes' | 'written'>

/**
 * Counts the usage of an answer for vendors that report none: the text a model wrote, not the JSON around it. Embeddings and
 * moderations are billed by their input, transcripts also by the audio's duration, images by number, speech by duration, rerank by the
 * search where its price is one.
 */
export const countResponse = (call: Call, { bytes, written: counted }: Answered): Usage => {
  const { operation } = call
  const written = () => counted ?? (isJson(bytes) ? writtenTokens(operation, bytes) : tokensOfBytes(bytes.byteLength))
  if (operation.name.startsWith('audio/trans')) return { ...NO_USAGE, audioInput: audioTokens(call), output: written() }
  const input = countInput(call)
  if (operation.name === 'audio/speech') return { ...input, audioOutput: speechTokens(audioSecondsIn(bytes)) }
  if (operation.name.startsWith('images/')) return { ...input, imageOutput: picturesIn(bytes) * tokensOfImage(call) }
  if (operation.name === 'rerank') return { ...input, fileSearches: rankedUnits(call, 'likely') }
  return { ...input, output: operation.writes ? written() : 0 }
}

/** The tokens of the text and the arguments in a whole answer. */
export const writtenTokens = (operation: Operation, json: Uint8Array) =>
  tokensOfBytes(contentBytes(json, outputMembers(operation)))

/** Transcripts may be plain text. Leading blanks are keep-alives. */
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
