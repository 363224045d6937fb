import { Modal, type ModalProps } from '@mantine/core'
import { useReturnFocus } from '../../lib/browser/return-focus.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

type DialogProps = Pick<ModalProps, 'title' | 'size' | 'onClose' | 'children'>

/** A dialog that is open while it is mounted, and restores the focus when it closes. */
export function Dialog(props: DialogProps) {
  const text = useText(commonText)
  useReturnFocus()
  return <Modal opened returnFocus={false} closeButtonProps={{ 'aria-label': text.close }} {...props} />
}
