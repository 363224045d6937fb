import { Alert } from '@mantine/core'
import { usePromptOnce } from '../../../lib/session/prompt-once.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { IconInfoCircle } from '../../../ui/layout/icons.tsx'

/** Explains tests and balances until it is dismissed. */
export function ChannelHint() {
  const text = useText(channelsText)
  const { visible, dismiss } = usePromptOnce('channel-test')
  if (!visible) return null
  return (
    <Alert
      color="blue"
      icon={<IconInfoCircle size={18} />}
      // Keeps the close button clear of the text.
      styles={{ closeButton: { marginInlineStart: 12 } }}
      withCloseButton
      closeButtonLabel={text.hintClose}
      onClose={dismiss}
    >
      {text.hint}
    </Alert>
  )
}
