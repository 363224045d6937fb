const HIDDEN = '***'

/*
 * Callers choose the text, and it is searched in the thread that serves everyone: a match starts only where a run of its characters
 * does, or has a bound, so that the time grows with the length of the text and not with its square.
 */

/** Keys in the formats of vendors and this gateway, tokens, and private keys. */
const LOOKS_LIKE_A_KEY = [
  /\b(?:sk|pk|rk|ak|at|key|xai|gsk|hf|r8|nvapi|pplx)[-_][A-Za-z0-9_-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[pousr]|github_pat)_\w{20,}/g,
  /\bxox[a-z]-[\w-]{10,}/g,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
]

/** Also a JSON member within a JSON string. */
const NAMED =
  /(?<!\\)(\\*")([\w-]{0,64}(?:api[_-]?key|secret|passw(?:or)?d|authorization|(?:access|refresh|auth|bearer)[_-]?token|private[_-]?key|cookie)[\w-]{0,64})\1(\s*:\s*)\1((?:(?!\1)(?:\\.|[^\\\n]))+)\1/gi
const ASSIGNED = /\b([A-Z][A-Z0-9_]*(?:KEY|SECRET|TOKEN|PASSWORD)\s?=\s?\\*["']?)([^\s"'\\]{6,})/g
const BEARER = /\b(Bearer\s+)[\w.~+/-]{12,}=*/gi

/** Removes what looks like a secret, and the caller's own key wherever it occurs. */
export const maskedSecrets = (text: string, key: string) => {
  const own = key.length < OWN_KEY_MIN ? text : text.replaceAll(key, HIDDEN)
  return LOOKS_LIKE_A_KEY.reduce((rest, pattern) => rest.replace(pattern, HIDDEN), own)
    .replace(NAMED, (_, quote, name, between) => `${quote}${name}${quote}${between}${quote}${HIDDEN}${quote}`)
    .replace(ASSIGNED, `$1${HIDDEN}`)
    .replace(BEARER, `$1${HIDDEN}`)
}

/** Anything shorter was never issued as a key, and could be a word. */
const OWN_KEY_MIN = 16
