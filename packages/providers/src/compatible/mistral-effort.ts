/**
 * Mistral's models take an effort in three ways: most none at all, by its mere presence; Small and Medium of 2026 exactly two; and Large
 * from 4 on its own levels.
 */
export function mistralEffort(model: string, effort: string): string | undefined {
  if (/^mistral-large-4/.test(model)) return effort
  if (!TWO_LEVELS.test(model)) return undefined
  return effort === 'none' || effort === 'minimal' || effort === 'low' ? 'none' : 'high'
}

const TWO_LEVELS = /^mistral-(?:(?:small|medium)-(?:latest|26\d\d)|small-4|medium-3-5)/
