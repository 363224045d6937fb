import { Button, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useFieldErrors } from '../../lib/forms/field-errors.ts'
import { focusFault, focusFirstError } from '../../lib/forms/focus-first-error.ts'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../ui/feedback/dialog-buttons.tsx'

/** The part of @mantine/form that the dialog needs. */
interface FormState<Values> {
  getValues(): Values
  setFieldError(path: string, error: ReactNode): void
  onSubmit(
    save: (values: Values) => void,
    refuse: (errors: Record<string, unknown>) => void,
  ): (event: FormEvent<HTMLFormElement>) => void
}

interface DialogFormProps<Values extends object> {
  title: string
  form: FormState<Values>
  onSave: (values: Values) => void
  onClose: () => void
  saving: boolean
  children: ReactNode
}

/** A short form in a dialog. Errors of the server are shown at their fields. */
export function DialogForm<Values extends object>(props: DialogFormProps<Values>) {
  const { title, form, onSave, onClose, saving, children } = props
  const text = useText(alertsText)

  useFieldErrors((name, message) => {
    if (!(name in form.getValues())) return false
    form.setFieldError(name, message)
    setTimeout(() => focusFirstError({ [name]: message }))
    return true
  })

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving || focusFault(event.currentTarget)) return
    form.onSubmit(onSave, focusFirstError)(event)
  }

  return (
    <Dialog title={title} onClose={onClose} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {children}
          <DialogButtons mt="xs" onCancel={onClose}>
            <Button type="submit" loading={saving}>
              {text.save}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
