/** Cerebras knows four words for an effort, and gpt-oss, which always reasons, three of them. */
export function cerebrasEffort(model: string, effort: string): string | undefined {
  if (effort === 'none') return model.includes('gpt-oss') ? 'low' : 'none'
  if (effort === 'minimal' || effort === 'low') return 'low'
  return effort === 'medium' ? 'medium' : 'high'
}
