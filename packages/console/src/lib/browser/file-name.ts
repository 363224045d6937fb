const LENGTH_MAX = 80

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what no file name may hold.
const FORBIDDEN = /[\u0000-\u001f\u007f"*/:<>?\\|]/g

/** A file name valid on every system; `otherwise` when nothing of it is left. */
export const safeFileName = (name: string, otherwise: string) => {
  const kept = [...name.replace(FORBIDDEN, '_')].slice(0, LENGTH_MAX).join('')
  const trimmed = kept.replace(/^[\s.]+|[\s.]+$/g, '')
  return trimmed === '' ? otherwise : trimmed
}
