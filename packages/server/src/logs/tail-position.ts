/** The position of a log watcher: everything up to the newest entry, except ids that were not committed yet. */
export interface TailPosition {
  newest: number
  missing: ReadonlySet<number>
}

const MISSING_MAX = 100

/** `newest`, and how far before it the missing ids are. */
export const positionText = (newest: number, missing: readonly number[]) => {
  const before = missing.slice(0, MISSING_MAX).map((id) => newest - id)
  return before.length === 0 ? String(newest) : `${newest}-${before.join('.')}`
}

/** Undefined for invalid text; then the watch starts now. */
export const readPosition = (text: string | undefined): TailPosition | undefined => {
  const [, newest, before] = /^(\d{1,15})(?:-(\d{1,4}(?:\.\d{1,4}){0,99}))?$/.exec(text ?? '') ?? []
  if (newest === undefined) return undefined
  const missing = (before?.split('.') ?? []).map((distance) => Number(newest) - Number(distance))
  return { newest: Number(newest), missing: new Set(missing) }
}

/** Ids missing between the oldest and the newest, newest first: they may be committed later. */
export const missingIn = (seen: ReadonlySet<number>, newest: number, overlap: number) => {
  const oldest = Math.max(Math.min(newest, ...seen), newest - overlap)
  const missing: number[] = []
  for (let id = newest - 1; id > oldest; id--) if (!seen.has(id)) missing.push(id)
  return missing
}
