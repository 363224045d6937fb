import { appText } from '../text/app.ts'
import { useText } from '../text/text.ts'
import { IconLock } from '../ui/layout/icons.tsx'
import { ButtonLink } from '../ui/layout/links.tsx'
import { EmptyState } from '../ui/table/empty-state.tsx'

/** What an ordinary user sees at an administrator's URL. */
export function NoPermissionPage() {
  const text = useText(appText)
  return (
    <EmptyState
      icon={<IconLock size={36} stroke={1.5} />}
      title={text.noPermission}
      help={text.noPermissionHelp}
      action={<ButtonLink to="/">{text.backHome}</ButtonLink>}
    />
  )
}
