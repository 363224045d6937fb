/** For the second argument of `form.onSubmit`: puts the cursor where the first mistake is. */
export const focusFirstError = (errors: Record<string, unknown>) => {
  const path = Object.keys(errors)[0]
  const field = document.querySelector(`[data-path="${path}"]`)
  if (field instanceof HTMLElement) field.focus()
}
