import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { type Draft, restoredValues, useDraftOf } from '../../lib/forms/drafts.ts'
import { useFieldErrors } from '../../lib/forms/field-errors.ts'
import { focusFault, focusFirstError } from '../../lib/forms/focus-first-error.ts'
import { useUnsavedGuard } from '../../lib/forms/unsaved-guard.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../feedback/toast.ts'
import classes from './form.module.css'
import { UnsavedDialog } from './form-unsaved.tsx'

/** The part of @mantine/form that the frame needs. */
interface FormState<Values> {
  getValues(): Values
  getInitialValues(): Values
  setValues(values: Partial<Values>): void
  isDirty(path?: string): boolean
  setFieldError(path: string, error: ReactNode): void
  onSubmit(
    save: (values: Values) => void,
    refuse: (errors: Record<string, unknown>) => void,
  ): (event: FormEvent<HTMLFormElement>) => void
}

interface FormFrameProps<Values extends object> {
  form: FormState<Values>
  onSave: (values: Values) => void
  onCancel: () => void
  /** Says what will happen: "Create token". */
  submitLabel: string
  saving: boolean
  /** Already saved: nothing is lost by leaving, and nothing is sent again. */
  done?: boolean
  /** Fields that are never stored in the browser, not even when the session ends. */
  secrets?: readonly (keyof Values & string)[]
  /** Amounts of which only the difference is saved: what happens to them meanwhile stays. */
  differences?: readonly (keyof Values & string)[]
  /** Fields with another name on the server. */
  aliases?: Readonly<Record<string, keyof Values & string>>
  /** Shown on the right of wide windows. */
  aside?: ReactNode
  children: ReactNode
}

/**
 * A long form: one column of sections, buttons always visible, and a question before changes are lost. It is submitted once until it
 * is answered, shows errors at their fields, and is restored after the session has ended under it.
 */
export function FormFrame<Values extends object>(props: FormFrameProps<Values>) {
  const { form, onSave, onCancel, submitLabel, saving, done = false } = props
  const { secrets = [], differences = [], aliases = {} } = props
  const text = useText(commonText)
  const changed = form.isDirty() && !done
  const guard = useUnsavedGuard(changed && !saving)

  useFieldErrors((name, message) => {
    const field = aliases[name] ?? name
    if (!(field in form.getValues())) return false
    form.setFieldError(field, message)
    // The field may have been disabled while the call was pending.
    setTimeout(() => focusFirstError({ [field]: message }))
    return true
  })

  useDraftOf(
    () => (changed ? withoutSecrets(form, secrets) : undefined),
    (draft) => {
      // Only names and values that this very form had.
      form.setValues(restoredValues(draft, form.getInitialValues(), differences) as Partial<Values>)
      for (const name of draft.missing) form.setFieldError(name, text.retypeSecret)
      toast.info(text.restored)
    },
  )

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving || done || focusFault(event.currentTarget)) return
    form.onSubmit(onSave, focusFirstError)(event)
  }

  // The same elements with and without the aside: resizing the window must not reset the form.
  return (
    <div className={classes.frame} data-beside={props.aside !== undefined || undefined}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {props.children}
        <div className={classes.bar} data-changed={changed || undefined}>
          <span className={classes.changed}>{changed && text.unsaved}</span>
          <Button variant="default" onClick={onCancel}>
            {text.cancel}
          </Button>
          <Button type="submit" loading={saving}>
            {submitLabel}
          </Button>
        </div>
        <UnsavedDialog guard={guard} />
      </form>
      {props.aside !== undefined && <div className={classes.aside}>{props.aside}</div>}
    </div>
  )
}

/** Only changed values: the others may differ when the form is opened again. */
function withoutSecrets(form: FormState<object>, secrets: readonly string[]): Draft {
  const changed = Object.entries(form.getValues()).filter(([name]) => form.isDirty(name))
  const kept = changed.filter(([name]) => !secrets.includes(name))
  return {
    values: Object.fromEntries(kept),
    before: Object.fromEntries(kept.map(([name]) => [name, Reflect.get(form.getInitialValues(), name)])),
    missing: changed.map(([name]) => name).filter((name) => secrets.includes(name)),
  }
}
