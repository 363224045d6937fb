import type { ChatPart } from '../chat.ts'
import { type Choice, collect } from '../collect.ts'
import type { AnswerMeta, StreamEncoder } from '../dialect.ts'
import { sse } from '../sse.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import { googleError } from './error-body.ts'
import { finishReason, toGrounding, toLogprobs, toParts, usageMetadata } from './response.ts'

type LatePart = Extract<ChatPart, { type: 'tool-call' | 'citation' | 'finish' }>

/**
 * An answer as chunks of candidates. A call must be complete and the last chunk contains finish reason and usage, so calls,
 * citations and reasons are held until the end.
 */
export function generateStream(meta: AnswerMeta): StreamEncoder {
  const head = { modelVersion: meta.model, responseId: meta.id }
  const late: LatePart[] = []
  const seen = new Set<number>([0])
  /** The text of each choice so far, for citation offsets. */
  const texts = new Map<number, string>()
  let usage: Usage | undefined

  // Google's own client forgets a conversation when a chunk has no parts; its servers send an empty text.
  const contentOf = (parts: object[]) => ({ parts: parts.length === 0 ? [{ text: '' }] : parts, role: 'model' })

  const piece = (index: number, parts: object[], more: object = {}) =>
    sse({ candidates: [{ content: contentOf(parts), index, ...more }], ...head })

  const frame = (part: ChatPart): string => {
    if ('choice' in part) seen.add(part.choice)
    if (part.type === 'text') texts.set(part.choice, (texts.get(part.choice) ?? '') + part.text)
    switch (part.type) {
      case 'start':
        return ''
      case 'usage':
        usage = { ...(usage ?? NO_USAGE), ...part.usage }
        return ''
      case 'tool-call':
      case 'citation':
      case 'finish':
        late.push(part)
        return ''
      case 'logprobs':
        return piece(part.choice, [], { logprobsResult: toLogprobs(part.tokens) })
      default:
        return toParts(part)
          .map((own) => piece(part.choice, [own]))
          .join('')
    }
  }

  const closing = ({ index, blocks, citations, finish }: Choice) => ({
    content: contentOf(blocks.flatMap(toParts)),
    finishReason: finishReason(finish ?? 'stop'),
    index,
    ...(citations.length === 0 ? {} : { groundingMetadata: toGrounding(citations, texts.get(index) ?? '') }),
  })

  return {
    frame,
    end() {
      const { choices } = collect(late)
      const known = new Map(choices.map((choice) => [choice.index, choice]))
      const candidates = [...seen].map((index) =>
        closing(known.get(index) ?? { index, blocks: [], citations: [], logprobs: [], finish: undefined }),
      )
      return sse({ candidates, ...(usage === undefined ? {} : { usageMetadata: usageMetadata(usage) }), ...head })
    },
    error: (failure) => sse(googleError(failure)),
  }
}
