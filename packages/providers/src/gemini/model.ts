/** What a Gemini model accepts. Names without a version count as new. */
export interface ModelRules {
  /** How thinking is requested: not at all, with a budget, or by a level. */
  thinking: 'none' | 'budget' | 'level'
  /** Whether the level between LOW and HIGH exists. */
  mediumLevel: boolean
  /** The lowest possible thinking budget. */
  budgetMin: number
  /** Calls in a conversation must carry their original signature. */
  signedCalls: boolean
  /** Whether it accepts penalties for repetitions. */
  penalties: boolean
  /** Whether an answer in JSON and tools go together. */
  jsonWithTools: boolean
  /** Whether JSON Schema is accepted unchanged. */
  jsonSchema: boolean
  /** Whether the model generates images. */
  images: boolean
}

export function rulesOf(model: string): ModelRules {
  const version = versionOf(model)
  return {
    thinking: version >= 300 ? 'level' : version >= 205 ? 'budget' : 'none',
    mediumLevel: !model.includes('gemini-3-pro'),
    budgetMin: model.includes('pro') ? 128 : 0,
    signedCalls: version >= 300,
    penalties: version < 205,
    jsonWithTools: version >= 300,
    jsonSchema: version >= 205,
    images: model.includes('-image'),
  }
}

/** Major and minor version as one number: 205 for `gemini-2.5-flash`. Gemma and other Google models neither think nor sign. */
function versionOf(model: string): number {
  const [, major, minor = '0'] = /gemini-(\d+)(?:\.(\d+))?/.exec(model) ?? []
  if (major !== undefined) return Number(major) * 100 + Number(minor)
  return model.includes('gemini') ? Number.POSITIVE_INFINITY : 0
}
