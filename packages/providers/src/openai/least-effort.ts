/**
 * The effort that disables thinking. OpenAI's generations use different values, and models without reasoning refuse any.
 */
export function leastEffort(model: string): string | undefined {
  if (/(^|\/)(gpt-[34]|chatgpt|llama|meta-llama|grok-[24])/.test(model)) return undefined
  const [, version = '', kind = ''] = /(?:^|\/)gpt-(\d+(?:\.\d+)?)(?:-(pro|codex|chat))?/.exec(model) ?? []
  if (kind === 'pro' || kind === 'chat') return undefined
  if (kind === 'codex') return 'low'
  if (version === '5') return 'minimal'
  return /(^|\/)(o\d|gpt-6-astra|gpt-oss|grok-3-mini|codex)/.test(model) ? 'low' : 'none'
}
