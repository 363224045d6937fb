import { Drawer } from '@mantine/core'
import { useReturnFocus } from '../../lib/browser/return-focus.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { Brand } from './brand.tsx'
import { MenuList } from './menu-list.tsx'

/** The menu of the phone layout. */
export function MenuDrawer({ onClose }: { onClose: () => void }) {
  const text = useText(appText)
  useReturnFocus()
  return (
    <Drawer
      opened
      returnFocus={false}
      onClose={onClose}
      size={260}
      padding="sm"
      title={<Brand />}
      closeButtonProps={{ 'aria-label': text.menu.close }}
    >
      <MenuList layout="column" onNavigate={onClose} />
    </Drawer>
  )
}
