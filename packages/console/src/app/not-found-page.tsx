import { appText } from '../text/app.ts'
import { useText } from '../text/text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconMapOff } from '../ui/icons.tsx'
import { ButtonLink } from '../ui/links.tsx'

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
