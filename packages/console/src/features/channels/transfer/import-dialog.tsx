import { Button, FileInput, Stack, Text } from '@mantine/core'
import type { ImportResult } from '@tollgate/contract'
import { type FormEvent, useState } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ImportDone } from './import-done.tsx'
import { ImportPreview } from './import-preview.tsx'
import { isSealed } from './import-rows.ts'
import { PassphraseField } from './passphrase-field.tsx'
import { useImportChannels, usePreviewImport } from './queries.ts'

/** The file, then a preview of its rows, then the import itself, and what is left to do afterwards. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const text = useText(channelTransferText)
  const preview = usePreviewImport()
  const apply = useImportChannels()
  const [file, setFile] = useState<File | null>(null)
  const [content, setContent] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const [result, setResult] = useState<ImportResult>()
  const [incomplete, setIncomplete] = useState<ImportResult>()
  const sealed = isSealed(content)

  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setContent(chosen === null ? '' : await chosen.text())
  }
  const look = (event: FormEvent) => {
    event.preventDefault()
    preview.mutate({ content, passphrase }, { onSuccess: setResult })
  }
  const done = (imported: ImportResult) => {
    if (imported.without_key > 0) return setIncomplete(imported)
    const { created, changed } = imported
    toast.notice(text.imported(formatExact(created), formatExact(changed)))
    onClose()
  }

  if (incomplete !== undefined) {
    return (
      <Dialog title={text.import} size="md" onClose={onClose}>
        <ImportDone result={incomplete} onClose={onClose} />
      </Dialog>
    )
  }
  if (result !== undefined) {
    return (
      <Dialog title={text.import} size="lg" onClose={onClose}>
        <ImportPreview
          result={result}
          busy={apply.isPending}
          onBack={() => setResult(undefined)}
          onApply={() => apply.mutate({ content, passphrase }, { onSuccess: done })}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={text.import} size="md" onClose={onClose}>
      <form noValidate onSubmit={look}>
        <Stack>
          <Text c="dimmed" size="sm">
            {text.importHelp}
          </Text>
          <FileInput
            label={text.file}
            placeholder={text.filePlaceholder}
            accept=".json,.csv,application/json,text/csv"
            value={file}
            onChange={(chosen) => void choose(chosen)}
          />
          {sealed && (
            <PassphraseField
              label={text.filePassphrase}
              autoComplete="off"
              value={passphrase}
              onChange={setPassphrase}
            />
          )}
          <DialogButtons onCancel={onClose}>
            <Button
              type="submit"
              loading={preview.isPending}
              disabled={content === '' || (sealed && passphrase === '')}
            >
              {text.preview}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
