/** The reasons for an end that vendors give. Any other word is told as `other`, so that no answer can put its own text here. */
const REASONS = new Set([
  ...['stop', 'length', 'tool_calls', 'function_call', 'content_filter'],
  ...['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'model_context_window_exceeded'],
  ...['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'OTHER'],
  ...['MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY', 'UNEXPECTED_TOOL_CALL', 'completed', 'incomplete', 'failed'],
])
const REASONS_MAX = 8

// Inside of what a model says, the quotes would have backslashes in front.
const REASON = /(?<!\\)"(?:finish_reason|stop_reason|finishReason)"\s*:\s*"([A-Za-z_]{1,40})"/g
const RESPONSE_END = /(?<!\\)"type"\s*:\s*"response\.(completed|incomplete|failed)"/
/** What a model said, to people or to tools, stands behind one of these. */
const CONTENT = /(?<!\\)"(?:choices|content|candidates|output|delta|data)"\s*:/
const MODEL = /(?<!\\)"model"\s*:\s*"([\w.:/@-]{1,128})"/
/** Google's, which stands behind the content. */
const MODEL_VERSION = /.*(?<!\\)"modelVersion"\s*:\s*"([\w.:/@-]{1,128})"/s

/** Of a long answer only its beginning and its end can say it. */
const LOOKED_AT_MAX = 64 * 1024

/** What an answer says of itself: who gave it, and why it ended. */
export const createAnswerWords = () => {
  const reasons: string[] = []
  let model: string | undefined
  let isFirst = true
  return {
    see(bytes: Uint8Array) {
      const text = textOf(bytes)
      if (isFirst) model = MODEL.exec(text.slice(0, CONTENT.exec(text)?.index))?.[1] ?? MODEL_VERSION.exec(text)?.[1]
      isFirst = false
      const found = [...text.matchAll(REASON)].map(([, reason]) => reason)
      for (const reason of [...found, RESPONSE_END.exec(text)?.[1]])
        if (reason !== undefined && reasons.length < REASONS_MAX) reasons.push(REASONS.has(reason) ? reason : 'other')
    },
    model: () => model,
    reasons: () => reasons,
  }
}

function textOf(bytes: Uint8Array) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (all.length <= 2 * LOOKED_AT_MAX) return all.toString('latin1')
  return all.toString('latin1', 0, LOOKED_AT_MAX) + all.toString('latin1', all.length - LOOKED_AT_MAX)
}
