import { joinBase64 } from './base64.ts'
import type { ChatPart, Citation, FinishReason, TokenLogprob } from './chat.ts'
import { CITATIONS_MAX } from './citation.ts'
import { NO_USAGE, type Usage } from './usage.ts'

/** A whole answer, assembled from its parts. */
export interface Answer {
  /** As the vendor reported them. */
  id: string | undefined
  model: string | undefined
  choices: Choice[]
  usage: Usage | undefined
}

export interface Choice {
  index: number
  /** In the order of their first part. */
  blocks: Block[]
  citations: Citation[]
  logprobs: TokenLogprob[]
  finish: FinishReason | undefined
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'refusal'; text: string }
  | { type: 'reasoning'; text: string; signature?: string; redacted?: string }
  | ToolCall
  | { type: 'image'; mimeType: string; base64: string }
  | Audio

interface Audio {
  type: 'audio'
  base64: string
  transcript: string
  format?: 'pcm16'
}

export interface ToolCall {
  type: 'tool-call'
  call: number
  id: string
  name: string
  arguments: string
  signature?: string
}

export function collect(parts: readonly ChatPart[]): Answer {
  const answer: Answer = { id: undefined, model: undefined, choices: [], usage: undefined }
  const choices = new Map<number, Choice>()
  const unfinished: Unfinished = { calls: new Map(), audio: new Map() }
  for (const part of parts) {
    if (part.type === 'start') Object.assign(answer, { id: part.id, model: part.model })
    else if (part.type === 'usage') answer.usage = { ...(answer.usage ?? NO_USAGE), ...part.usage }
    else addTo(choiceAt(choices, part.choice), part, unfinished)
  }
  for (const [block, pieces] of unfinished.audio) block.base64 = joinBase64(pieces)
  answer.choices = [...choices.values()].sort((one, other) => one.index - other.index)
  return answer
}

/** All text of one kind in a choice. */
export const textOfType = (choice: Choice, type: 'text' | 'refusal' | 'reasoning') =>
  choice.blocks.map((block) => (block.type === type ? block.text : '')).join('')

export const toolCalls = (choice: Choice) => choice.blocks.filter((block) => block.type === 'tool-call')

/**
 * The blocks for dialects in which a call has no signature: the signature moves to the reasoning before the call, because
 * clients return that unchanged.
 */
export function signedReasoning({ blocks }: Choice): Block[] {
  return blocks.reduce<Block[]>((all, block) => {
    if (block.type !== 'tool-call' || block.signature === undefined) {
      all.push(block)
      return all
    }
    const { signature, ...call } = block
    const last = all.at(-1)
    const free = last?.type === 'reasoning' && last.signature === undefined && last.redacted === undefined
    if (free) all[all.length - 1] = { ...last, signature }
    else all.push({ type: 'reasoning', text: '', signature })
    all.push(call)
    return all
  }, [])
}

type ChoicePart = Exclude<ChatPart, { type: 'start' | 'usage' }>

/** Blocks that further parts belong to. Searching for the call, or joining the audio, with each part would take minutes if there are very many. */
interface Unfinished {
  /** By choice and number. */
  calls: Map<string, ToolCall>
  audio: Map<Audio, string[]>
}

function addTo(choice: Choice, part: ChoicePart, { calls, audio }: Unfinished) {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return addText(choice, part)
    case 'reasoning':
      return addReasoning(choice, part)
    case 'tool-call':
      return addToolCall(choice, part, calls)
    case 'image':
      choice.blocks.push({ type: 'image', mimeType: part.mimeType, base64: part.base64 })
      return
    case 'audio':
      return addAudio(choice, part, audio)
    case 'citation': {
      const { type: _, choice: __, ...citation } = part
      if (choice.citations.length < CITATIONS_MAX) choice.citations.push(citation)
      return
    }
    case 'logprobs':
      choice.logprobs.push(...part.tokens)
      return
    case 'finish':
      choice.finish = part.reason
  }
}

function addText({ blocks }: Choice, { type, text }: Extract<ChoicePart, { type: 'text' | 'refusal' }>) {
  const last = blocks.at(-1)
  if (last?.type === type) last.text += text
  else blocks.push({ type, text })
}

function addAudio(
  { blocks }: Choice,
  { choice: _, ...piece }: Extract<ChoicePart, { type: 'audio' }>,
  audio: Unfinished['audio'],
) {
  const last = blocks.at(-1)
  if (last?.type !== 'audio') {
    blocks.push(piece)
    audio.set(piece, [piece.base64])
    return
  }
  audio.get(last)?.push(piece.base64)
  last.transcript += piece.transcript
}

/** A signature ends its block of reasoning; redacted reasoning is a block of its own. */
function addReasoning({ blocks }: Choice, part: Extract<ChoicePart, { type: 'reasoning' }>) {
  const { choice: _, ...piece } = part
  const last = blocks.at(-1)
  const open = last?.type === 'reasoning' && last.signature === undefined && last.redacted === undefined
  if (!open || piece.redacted !== undefined) {
    blocks.push(piece)
    return
  }
  last.text += piece.text
  if (piece.signature !== undefined) last.signature = piece.signature
}

function addToolCall({ blocks }: Choice, part: Extract<ChoicePart, { type: 'tool-call' }>, calls: Unfinished['calls']) {
  const { choice, id = '', name = '', ...rest } = part
  const key = `${choice}/${part.call}`
  const known = calls.get(key)
  if (known !== undefined) {
    known.arguments += part.arguments
    if (part.signature !== undefined) known.signature = part.signature
    return
  }
  const call = { ...rest, id, name }
  calls.set(key, call)
  blocks.push(call)
}

function choiceAt(choices: Map<number, Choice>, index: number): Choice {
  const known = choices.get(index)
  if (known !== undefined) return known
  const choice: Choice = { index, blocks: [], citations: [], logprobs: [], finish: undefined }
  choices.set(index, choice)
  return choice
}
