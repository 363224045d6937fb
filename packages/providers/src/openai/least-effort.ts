/**
 * How a model is told not to think. OpenAI's know different words for it by their generation, and models that never think
 * answer any of them with an error.
 */
export function leastEffort(model: string): string | undefined {
  if (/(^|\/)(gpt-[34]|chatgpt|llama|meta-llama|grok-[24])/.test(model)) return undefined
  const [, version = '', kind = ''] = /(?:^|\/)gpt-(\d+(?:\.\d+)?)(?:-(pro|codex|chat))?/.exec(model) ?? []
  if (kind === 'pro' || kind === 'chat') return undefined
  if (kind === 'codex') return 'low'
  if (version === '5') return 'minimal'
  return /(^|\/)(o\d|gpt-oss|grok-3-mini|codex)/.test(model) ? 'low' : 'none'
}
