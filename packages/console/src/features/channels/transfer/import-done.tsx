import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ImportResult } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { IconAlertTriangle } from '../../../ui/layout/icons.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'

interface ImportDoneProps {
  result: ImportResult
  onClose: () => void
}

/** After an import that left channels without a key: how many, and the way to them. */
export function ImportDone({ result, onClose }: ImportDoneProps) {
  const text = useText(channelTransferText)
  const common = useText(commonText)
  return (
    <Stack>
      <Text size="sm">{text.imported(formatExact(result.created), formatExact(result.changed))}</Text>
      <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
        {text.keyless(formatExact(result.without_key))}
      </Alert>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {common.close}
        </Button>
        <ButtonLink to="/channel" search={{ without_key: 'true' }} onClick={onClose} data-autofocus>
          {text.showKeyless}
        </ButtonLink>
      </Group>
    </Stack>
  )
}
