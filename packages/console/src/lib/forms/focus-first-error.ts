import type { FormEvent } from 'react'

/** For the second argument of `form.onSubmit`: focuses the first error. */
export const focusFirstError = (errors: Record<string, unknown>) => {
  const path = Object.keys(errors)[0]
  const field = document.querySelector(`[data-path="${path}"]`)
  if (field instanceof HTMLElement) focusInSight(field)
}

/** For `onSubmit`: nothing is sent while a field shows invalid text, because the last valid number would be sent instead. */
export const onValid = (save: () => void) => (event: FormEvent<HTMLFormElement>) => {
  event.preventDefault()
  if (!focusFault(event.currentTarget)) save()
}

/** A field with invalid text, such as letters in a number, shows its own error. True when there was one. */
export const focusFault = (around: HTMLElement | null) => {
  const field = around?.querySelector('[data-fault]')
  if (!(field instanceof HTMLElement)) return false
  focusInSight(field)
  return true
}

/** A field that is in sight already would not be scrolled, although its message is below it, behind the bar of a form. */
function focusInSight(field: HTMLElement) {
  field.focus()
  field.scrollIntoView({ block: 'nearest' })
}
