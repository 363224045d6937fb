import { Button, Group, Text, Textarea } from '@mantine/core'
import { redemptionsText } from '../../text/redemptions.ts'
import { useText } from '../../text/text.ts'
import { copy } from '../../ui/feedback/copy.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { IconCopy, IconDownload } from '../../ui/layout/icons.tsx'

interface CodesDialogProps {
  codes: string[]
  fileName: string
  onDownload: () => void
  onClose: () => void
}

/** Shows the new codes: a download can be blocked, and nobody should have to look for the file. */
export function CodesDialog({ codes, fileName, onDownload, onClose }: CodesDialogProps) {
  const text = useText(redemptionsText)
  const all = codes.join('\n')
  return (
    <Dialog onClose={onClose} title={text.codesTitle(codes.length)}>
      <Text c="dimmed" size="sm" mb="sm">
        {text.codesHelp(fileName)}
      </Text>
      <Textarea
        aria-label={text.codes}
        value={all}
        readOnly
        autosize
        minRows={2}
        maxRows={10}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={onDownload}>
          {text.download}
        </Button>
        <Button variant="default" leftSection={<IconCopy size={16} />} onClick={() => void copy(all)}>
          {text.copyAll}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {text.backToList}
        </Button>
      </Group>
    </Dialog>
  )
}
