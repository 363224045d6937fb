import { TextInput } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { dialogs } from './dialogs.ts'

/** Rendered once, in the shell; `confirm()` and failed copies appear here. */
export function DialogHost() {
  const text = useText(commonText)
  const open = useSyncExternalStore(dialogs.subscribe, dialogs.current)
  return (
    <>
      {open?.kind === 'confirm' && (
        <ConfirmDialog {...open.question} onConfirm={() => open.answer(true)} onCancel={() => open.answer(false)} />
      )}
      {open?.kind === 'copy' && (
        <Dialog onClose={dialogs.close} title={text.copyManually}>
          <TextInput
            data-autofocus
            readOnly
            value={open.value}
            aria-label={text.copyManually}
            onFocus={(event) => event.currentTarget.select()}
          />
        </Dialog>
      )}
    </>
  )
}
