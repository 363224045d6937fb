import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useUnsavedGuard } from '../lib/unsaved-guard.ts'
import { commonText } from '../text/common.ts'
import { useText } from '../text/text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import classes from './form.module.css'

interface FormFrameProps {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  onCancel: () => void
  submitLabel: string
  /** Something differs from what is stored: leaving asks first. */
  changed: boolean
  saving: boolean
  children: ReactNode
}

/** A long form: one column of sections, the buttons always in sight, and a question before changes are lost. */
export function FormFrame({ onSubmit, onCancel, submitLabel, changed, saving, children }: FormFrameProps) {
  const text = useText(commonText)
  const guard = useUnsavedGuard(changed && !saving)
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      {children}
      <div className={classes.bar} data-changed={changed || undefined}>
        <span className={classes.changed}>{changed && text.unsaved}</span>
        <Button variant="default" onClick={onCancel}>
          {text.cancel}
        </Button>
        <Button type="submit" loading={saving}>
          {submitLabel}
        </Button>
      </div>
      {guard.asking && (
        <ConfirmDialog
          title={text.unsavedTitle}
          help={text.unsavedHelp}
          confirmLabel={text.leave}
          cancelLabel={text.stay}
          danger
          onConfirm={guard.leave}
          onCancel={guard.stay}
        />
      )}
    </form>
  )
}
