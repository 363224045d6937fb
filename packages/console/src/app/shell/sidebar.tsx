import { UnstyledButton } from '@mantine/core'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '../../ui/layout/icons.tsx'
import { Brand } from './brand.tsx'
import { MenuList } from './menu-list.tsx'
import classes from './sidebar.module.css'

export function Sidebar({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const text = useText(appText)
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const label = collapsed ? text.menu.expand : text.menu.collapse
  return (
    <aside className={classes.sidebar} data-collapsed={collapsed || undefined}>
      <div className={classes.brand}>
        <Brand compact={collapsed} />
      </div>
      <div className={classes.menu}>
        <MenuList layout={collapsed ? 'icons' : 'column'} />
      </div>
      <UnstyledButton className={classes.toggle} onClick={onToggle} aria-label={label} title={label}>
        <Icon size={18} stroke={1.75} aria-hidden />
      </UnstyledButton>
    </aside>
  )
}
