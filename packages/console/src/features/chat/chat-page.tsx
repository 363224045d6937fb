import { useStatus } from '../../api/status.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { pagesText } from '../../text/pages.ts'
import { useText } from '../../text/text.ts'
import { FramedSite } from '../../ui/layout/framed-site.tsx'
import { IconMessageCircle } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'

/** The operator's own chat site, inside the console. */
export function ChatPage() {
  const text = useText(pagesText)
  const { chat_link } = useStatus()
  const admin = useIsAdmin()
  if (chat_link !== '') return <FramedSite url={chat_link} title={text.chat} />
  return (
    <Sheet>
      <EmptyState
        icon={<IconMessageCircle size={32} stroke={1.5} />}
        title={text.chatNone}
        help={text.chatNoneHelp}
        action={
          admin && (
            <ButtonLink to="/setting" search={{ tab: 'operation' }} hash="general" variant="default">
              {text.goSettings}
            </ButtonLink>
          )
        }
      />
    </Sheet>
  )
}
