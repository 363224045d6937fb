import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { inTab } from '../browser/storage.ts'
import { sessionUser } from '../session/session-user.ts'

/** Unsaved form values, without secrets. */
const Draft = z.object({
  values: z.record(z.string(), z.unknown()),
  /** What these fields had when the form was opened, where it matters. */
  before: z.record(z.string(), z.unknown()).default({}),
  /** Secrets that were entered: they are not stored and have to be entered again. */
  missing: z.array(z.string()),
})
const Kept = z.object({ userId: z.number(), byPlace: z.record(z.string(), Draft) })

export type Draft = z.input<typeof Draft>

/** The unsaved values of a form; undefined when there are none. */
type Read = () => Draft | undefined

const open = new Map<string, Read>()

export const drafts = {
  /** The session has ended with open forms: their values wait in this tab for the same user. */
  rescue() {
    const userId = sessionUser()?.id
    const entries = [...open].flatMap(([place, read]) => {
      const draft = read()
      return draft === undefined ? [] : [[place, draft] as const]
    })
    if (userId === undefined || entries.length === 0) return
    inTab.write('drafts', JSON.stringify({ userId, byPlace: Object.fromEntries(entries) }))
  },
  forget: () => inTab.remove('drafts'),
}

/** Once: a restored draft is removed. */
function take(place: string): Draft | undefined {
  const kept = Kept.safeParse(inTab.readJson('drafts')).data
  if (kept === undefined) return undefined
  if (kept.userId !== sessionUser()?.id) return void drafts.forget()
  const draft = kept.byPlace[place]
  if (draft !== undefined) drafts.forget()
  return draft
}

/**
 * The values of a draft in a form that was opened again. An amount that was raised by 50 is raised by 50 still, whatever was spent in
 * between.
 */
export const restoredValues = ({ values, before = {} }: Draft, opened: object, differences: readonly string[]) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const [was, is] = [before[name], Reflect.get(opened, name)]
      const isDifference = differences.includes(name)
      if (!isDifference || typeof value !== 'number' || typeof was !== 'number' || typeof is !== 'number')
        return [name, value]
      return [name, Math.max(0, is + value - was)]
    }),
  )

/** Stores a form's values when the session ends, and restores them when the same user returns. */
export function useDraftOf(read: Read, restore: (draft: Draft) => void) {
  const latest = useRef({ read, restore })
  latest.current = { read, restore }

  useEffect(() => {
    const place = window.location.pathname
    const draft = take(place)
    if (draft !== undefined) latest.current.restore(draft)
    open.set(place, () => latest.current.read())
    return () => void open.delete(place)
  }, [])
}
