/** Groq's models take an effort in two ways, each with words of its own, and the others none at all. */
export function groqEffort(model: string, effort: string): string | undefined {
  if (/gpt-oss/.test(model)) return LEVELS.get(effort) ?? 'high'
  if (/qwen/.test(model)) return effort === 'none' ? 'none' : 'default'
  return undefined
}

const LEVELS = new Map([
  ...['none', 'minimal', 'low'].map((effort) => [effort, 'low'] as const),
  ['medium', 'medium'] as const,
])
