import { type Fields, isFields } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'
import { audioSecondsPacked } from './audio-length.ts'
import { BY_REFERENCE, type EstimateKind, imageTokens, isTextType, mediaTokens, unpackedSize } from './media-tokens.ts'
import { pdfPages } from './pdf-pages.ts'
import { likelyTokensOf, mostTokensOf } from './text-tokens.ts'

/** The prompt tokens of a model by kind. */
export interface PromptTokens {
  input: number
  audioInput: number
}

/** The members in which the dialects carry the prompt. */
const PROMPT_FIELDS = [
  ...['messages', 'prompt', 'input', 'instructions', 'query', 'documents', 'tools', 'functions', 'system', 'suffix'],
  ...['contents', 'systemInstruction', 'system_instruction', 'content', 'requests', 'generateContentRequest'],
  ...['response_format', 'text', 'output_config', 'prediction'],
]
/** Schemas of the answer that Google's and Anthropic's dialects have among the settings, some of which have these names elsewhere. */
const SCHEMAS = ['responseSchema', 'responseJsonSchema', 'response_schema', 'response_json_schema', 'output_format']

/** Overhead per message and before the answer; and Anthropic's tool prompt, if there are tools. */
const AROUND = {
  most: { message: 4, answer: 3, tools: 350 },
  likely: { message: 3, answer: 0, tools: 0 },
}

/** Walks over what the client sent without copying, so that it stays cheap. */
export const promptTokens = (
  { model, body, operation }: Pick<Call, 'model' | 'body' | 'operation'>,
  judged: EstimateKind,
) => {
  const around = AROUND[judged]
  const tokens = { input: 0, audioInput: 0 }
  const context = { tokens, judged, model, google: operation.family === 'google', message: around.message, read: 0 }
  for (const name of PROMPT_FIELDS) if (name in body) walk(body[name], name, PLAIN.has(name), 0, context)
  for (const settings of [body, body.generationConfig, body.generation_config].filter(isFields))
    for (const name of SCHEMAS) if (isFields(settings[name])) walk(settings[name], name, true, 0, context)
  if (operation.writes && tokens.input > 0) tokens.input += around.answer
  if (Array.isArray(body.tools) && body.tools.length > 0) tokens.input += around.tools
  return tokens
}

interface Context {
  tokens: PromptTokens
  judged: EstimateKind
  model: string
  google: boolean
  message: number
  /** Characters so far. */
  read: number
}

/** Content of these is text to the model, whatever it looks like: an image in a tool's arguments is none. */
const PLAIN = new Set([
  ...['tools', 'functions', 'args', 'response', 'parameters', 'input_schema', 'schema'],
  ...['response_format', 'output_config'],
])
/** Quotes, colons and commas around a name and around an item of a list, which may be a single letter. */
const MARKS = { most: { name: 3, item: 2 }, likely: { name: 0, item: 0 } }
/** The depth limit of bodies that we serialise; no real prompt is deeper. */
const DEPTH_MAX = 256
/** The rest of a longer prompt is only sampled: a call must not wait for it. */
const READ_MAX = 16_384

/** Of base64. Vendors refuse documents with more text than this. */
const DECODED_MAX = 16 * 1024 * 1024

const measure = (text: string, judged: EstimateKind, fast: boolean) =>
  judged === 'most' ? mostTokensOf(text, fast) : likelyTokensOf(text, fast)

function walk(value: unknown, name: string, plain: boolean, depth: number, context: Context): void {
  const { tokens, judged } = context
  if (typeof value === 'string') {
    const fast = context.read > READ_MAX
    context.read += value.length
    tokens.input += measure(value, judged, fast)
    return
  }
  if (typeof value !== 'object' || value === null) {
    // A list of numbers may be token ids; in plain JSON each digit may be a token.
    tokens.input += plain && judged === 'most' ? String(value).length : typeof value === 'number' ? 1 : 0
    return
  }
  if (depth > DEPTH_MAX) return
  if (Array.isArray(value)) {
    if (plain) tokens.input += MARKS[judged].item * value.length
    for (const item of value) walk(item, name, plain, depth + 1, context)
    return
  }
  if (!isFields(value)) return
  const file = plain ? undefined : addFile(value, name, context)
  if ('role' in value) tokens.input += context.message
  const isCall = value.type === 'tool_use' || value.type === 'server_tool_use'
  for (const member in value) {
    // Members beside a file are counted like any other.
    if (member === file || member === 'role' || (member === 'type' && !plain)) continue
    if (plain) tokens.input += MARKS[judged].name + (judged === 'most' ? mostTokensOf(member) : 1)
    walk(value[member], member, plain || PLAIN.has(member) || (isCall && member === 'input'), depth + 1, context)
  }
}

/** Members that contain a file, in one of the dialects. */
const HOLDERS = new Set(['inlineData', 'inline_data', 'source', 'input_audio', 'file', 'fileData', 'file_data'])
const ELSEWHERE = ['url', 'file_url', 'file_id', 'fileUri', 'file_uri']

/** Adds the tokens of a file and returns its member; undefined when there is none. */
function addFile(fields: Fields, name: string, context: Context): string | undefined {
  const { model, google, judged, tokens } = context
  const { data, file_data: packed, type } = fields
  const add = (mediaType: string, file: string) => {
    const media = mediaType.toLowerCase()
    const base64 = file.startsWith('data:') ? file.slice(file.indexOf(',') + 1) : file
    const pages = media.includes('pdf') ? pdfPages(base64) : undefined
    const seconds = media.startsWith('audio/') ? audioSecondsPacked(base64) : undefined
    const size = unpackedSize(base64.length)
    const isText = isTextType(media) && base64.length <= DECODED_MAX
    const textTokens = isText ? measure(Buffer.from(base64, 'base64').toString(), judged, true) : undefined
    const [audio, added] = mediaTokens({ type: media, size, pages, seconds, textTokens, google, model }, judged)
    tokens[audio ? 'audioInput' : 'input'] += added
  }
  if (typeof data === 'string' && HOLDERS.has(name) && type !== 'text') {
    const stated =
      name === 'input_audio' ? `audio/${fields.format}` : (fields.mimeType ?? fields.mime_type ?? fields.media_type)
    add(String(stated), data)
    return 'data'
  }
  if (typeof packed === 'string') {
    add(typeOfDataUrl(packed) ?? 'application/pdf', packed)
    return 'file_data'
  }
  if (type === 'document_url' && typeof fields.document_url === 'string') {
    const media = typeOfDataUrl(fields.document_url)
    if (media === undefined) tokens.input += BY_REFERENCE[judged]
    else add(media, fields.document_url)
    return 'document_url'
  }
  const picture = PICTURES.find(([of, member]) => of === type && member in fields)
  if (picture !== undefined) {
    tokens.input += imageTokens(model, judged)
    return picture[1]
  }
  if (!HOLDERS.has(name) && type !== 'input_file') return undefined
  const elsewhere = ELSEWHERE.find((member) => typeof fields[member] === 'string')
  if (elsewhere !== undefined) tokens.input += BY_REFERENCE[judged]
  return elsewhere
}

/** Which member of which type contains an image or its URL. */
const PICTURES: readonly (readonly [type: string, member: string])[] = [
  ['image_url', 'image_url'],
  ['input_image', 'image_url'],
  ['input_image', 'file_id'],
  ['image_generation_call', 'result'],
]

const typeOfDataUrl = (url: string) => /^data:([\w.+/-]+)[;,]/.exec(url.slice(0, 200))?.[1]
