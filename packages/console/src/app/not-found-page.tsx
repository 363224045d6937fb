import { appText } from '../text/app.ts'
import { useText } from '../text/text.ts'
import { IconMapOff } from '../ui/layout/icons.tsx'
import { ButtonLink } from '../ui/layout/links.tsx'
import { EmptyState } from '../ui/table/empty-state.tsx'

export function NotFoundPage() {
  const text = useText(appText)
  return (
    <EmptyState
      icon={<IconMapOff size={36} stroke={1.5} />}
      title={text.title.notFound}
      help={text.notFoundHelp}
      action={<ButtonLink to="/">{text.backHome}</ButtonLink>}
    />
  )
}
