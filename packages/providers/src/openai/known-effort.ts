const LEVELS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * The nearest effort that a model of OpenAI's has a word for: it refuses the others, and programs for Claude or Gemini send words that only
 * some generations know. Other vendors' models, and words of their own, stay as they are.
 */
export function knownEffort(model: string, effort: string): string {
  const range = rangeOf(model)
  const level = LEVELS.indexOf(effort)
  if (range === undefined || level === -1) return effort
  const [least, most] = range.map((word) => LEVELS.indexOf(word))
  return LEVELS[Math.min(Math.max(level, least ?? 0), most ?? level)] ?? effort
}

const FAMILY =
  /(?:^|[/.])(?:o\d|codex-mini|gpt-oss|gpt-(\d+(?:\.\d+)?)(?:-(?:mini|nano))?(?:-(pro|chat|codex(?:-max)?))?)/

function rangeOf(model: string): [least: string, most: string] | undefined {
  const family = FAMILY.exec(model)
  if (family === null) return undefined
  const [, version, kind = ''] = family
  if (version === undefined) return ['low', 'high']
  const number = Number(version)
  if (number < 5 || kind === 'chat') return undefined
  if (kind === 'pro') return [number === 5 ? 'high' : 'medium', mostOf(number, kind)]
  return [number === 5 && kind === '' ? 'minimal' : 'low', mostOf(number, kind)]
}

function mostOf(version: number, kind: string) {
  if (version >= 5.6) return 'max'
  return version >= 5.2 || kind === 'codex-max' ? 'xhigh' : 'high'
}
