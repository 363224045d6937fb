import { Modal, type ModalProps } from '@mantine/core'
import { useReturnFocus } from '../../lib/return-focus.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

type DialogProps = Pick<ModalProps, 'title' | 'size' | 'onClose' | 'children'>

/** A dialog that is open as long as it is there, and gives the focus back when it goes. */
export function Dialog(props: DialogProps) {
  const text = useText(commonText)
  useReturnFocus()
  return <Modal opened returnFocus={false} closeButtonProps={{ 'aria-label': text.close }} {...props} />
}
