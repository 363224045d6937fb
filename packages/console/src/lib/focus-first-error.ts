/** For the second argument of `form.onSubmit`: puts the cursor where the first mistake is. */
export const focusFirstError = (errors: Record<string, unknown>) => {
  const path = Object.keys(errors)[0]
  const field = document.querySelector(`[data-path="${path}"]`)
  if (field instanceof HTMLElement) field.focus()
}

/** A field that holds what it cannot mean, such as letters in a number, says so itself. True when there was one. */
export const focusFault = (form: HTMLFormElement) => {
  const field = form.querySelector('[data-fault]')
  if (field instanceof HTMLElement) field.focus()
  return field !== null
}
