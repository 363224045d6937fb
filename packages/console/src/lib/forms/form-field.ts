import type { ReactNode } from 'react'

/** The part of @mantine/form that a field needs. */
interface FormState<Values> {
  values: Values
  errors: Record<string, ReactNode>
  setValues: (values: Partial<Values>) => void
  clearFieldError: (path: string) => void
}

/** A field of a form for our own inputs, with its type: `<MoneyInput {...formField(form, 'quota')} />`. */
export const formField = <Values extends object, Name extends keyof Values & string>(
  form: FormState<Values>,
  name: Name,
) => ({
  value: form.values[name],
  onChange: (value: Values[Name]) => {
    // The compiler widens a computed key to any string; this one is `Name`, and its value fits.
    form.setValues({ [name]: value } as unknown as Partial<Values>)
    form.clearFieldError(name)
  },
  error: form.errors[name],
  'data-path': name,
})
