/** What a Gemini model accepts. Names without a version are new ones. */
export interface ModelRules {
  /** How thinking is asked for: not at all, with a budget, or by a level. */
  thinking: 'none' | 'budget' | 'level'
  /** The level between LOW and HIGH. */
  mediumLevel: boolean
  /** The budget that is nearest to no thinking. */
  budgetMin: number
  /** Calls in a conversation have to carry the signature that they came with. */
  signedCalls: boolean
  /** Schemas are taken as they are. */
  jsonSchema: boolean
  /** The model draws. */
  images: boolean
}

export function rulesOf(model: string): ModelRules {
  const version = versionOf(model)
  return {
    thinking: version >= 300 ? 'level' : version >= 205 ? 'budget' : 'none',
    mediumLevel: !model.includes('gemini-3-pro'),
    budgetMin: model.includes('pro') ? 128 : 0,
    signedCalls: version >= 300,
    jsonSchema: version >= 205,
    images: model.includes('-image'),
  }
}

/** Major and minor as one number: 205 for `gemini-2.5-flash`. Gemma and others of Google's models neither think nor sign. */
function versionOf(model: string): number {
  const [, major, minor = '0'] = /gemini-(\d+)(?:\.(\d+))?/.exec(model) ?? []
  if (major !== undefined) return Number(major) * 100 + Number(minor)
  return model.includes('gemini') ? Number.POSITIVE_INFINITY : 0
}
