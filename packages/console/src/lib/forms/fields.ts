import { type ChangeEvent, useState } from 'react'
import { useFieldErrors } from './field-errors.ts'

type Errors<Name extends string> = Partial<Record<Name, string>>

/** The state of a short form of texts. Long forms use @mantine/form, which visitors' pages need not load. */
export function useFields<Name extends string>(initial: Record<Name, string>) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Errors<Name>>({})
  useFieldErrors((field, message) => {
    const name = Object.keys(initial).find((known): known is Name => known === field)
    if (name === undefined) return false
    setErrors((before) => ({ ...before, [name]: message }))
    document.getElementsByName(name)[0]?.focus()
    return true
  })
  return {
    values,
    bind: (name: Name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setValues({ ...values, [name]: event.currentTarget.value })
        setErrors({ ...errors, [name]: undefined })
      },
    }),
    /** Shows the errors and focuses the first one. True when there are none. */
    accept: (found: Errors<Name>, form: HTMLFormElement) => {
      setErrors(found)
      const first = Object.entries(found).find(([, message]) => message !== undefined)?.[0]
      if (first === undefined) return true
      const field = form.elements.namedItem(first)
      if (field instanceof HTMLElement) field.focus()
      return false
    },
  }
}
