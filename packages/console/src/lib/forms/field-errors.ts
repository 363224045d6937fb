import { useEffect, useRef } from 'react'

interface Refusal {
  field: string | undefined
  message: string
}

/** Shows the message at the field; false when the form has no such field. */
type Place = (field: string, message: string) => boolean

const open: Place[] = []

export const fieldErrors = {
  /** True when a form on the page has shown it; the last opened form is tried first. */
  offer: ({ field, message }: Refusal) =>
    field !== undefined && open.toReversed().some((place) => place(field, message)),
}

/** Errors about a field of this form are shown there. */
export function useFieldErrors(place: Place) {
  const latest = useRef(place)
  latest.current = place

  useEffect(() => {
    const entry: Place = (field, message) => latest.current(field, message)
    open.push(entry)
    return () => void open.splice(open.indexOf(entry), 1)
  }, [])
}
