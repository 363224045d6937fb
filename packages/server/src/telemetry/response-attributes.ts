/** Known finish reasons. Any other is reported as `other`, so that no answer can insert its own text here. */
const REASONS = new Set([
  ...['stop', 'length', 'tool_calls', 'function_call', 'content_filter'],
  ...['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'model_context_window_exceeded'],
  ...['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'OTHER'],
  ...['MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY', 'UNEXPECTED_TOOL_CALL', 'completed', 'incomplete', 'failed'],
])
const REASONS_MAX = 8

// Inside model output the quotes would be escaped.
const REASON = /(?<!\\)"(?:finish_reason|stop_reason|finishReason)"\s*:\s*"([A-Za-z_]{1,40})"/g
const RESPONSE_END = /(?<!\\)"type"\s*:\s*"response\.(completed|incomplete|failed)"/
/** Model output follows one of these. */
const CONTENT = /(?<!\\)"(?:choices|content|candidates|output|delta|data)"\s*:/
const MODEL = /(?<!\\)"model"\s*:\s*"([\w.:/@-]{1,128})"/
/** Google's, which comes after the content: the last one counts. */
const MODEL_VERSION = /(?<!\\)"modelVersion"\s*:\s*"([\w.:/@-]{1,128})"/g

/** Only the start and end of a long answer can contain it. */
const SCANNED_MAX = 64 * 1024

/** The model and finish reason of an answer. */
export const createResponseAttributes = () => {
  const reasons: string[] = []
  let model: string | undefined
  let isFirst = true
  return {
    see(bytes: Uint8Array) {
      const text = textOf(bytes)
      if (isFirst)
        model =
          MODEL.exec(text.slice(0, CONTENT.exec(text)?.index))?.[1] ?? [...text.matchAll(MODEL_VERSION)].at(-1)?.[1]
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
  if (all.length <= 2 * SCANNED_MAX) return all.toString('latin1')
  return all.toString('latin1', 0, SCANNED_MAX) + all.toString('latin1', all.length - SCANNED_MAX)
}
