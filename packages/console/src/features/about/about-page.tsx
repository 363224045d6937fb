import { Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useGuideAddress } from '../../api/guide-address.ts'
import { useStatus } from '../../api/status.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { commonText } from '../../text/common.ts'
import { pagesText } from '../../text/pages.ts'
import { useText } from '../../text/text.ts'
import { SiteContent } from '../../ui/display/site-content.tsx'
import { IconCloudOff, IconInfoCircle } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { aboutContent } from './queries.ts'

export function AboutPage() {
  const text = useText(pagesText)
  const common = useText(commonText)
  const about = useQuery(aboutContent)

  if (about.isPending) return <AboutSkeleton />
  if (about.isError) {
    return (
      <Sheet>
        <EmptyState
          icon={<IconCloudOff size={32} stroke={1.5} />}
          title={text.aboutFailed}
          help={common.loadFailedHelp}
          action={
            <Button variant="default" onClick={() => void about.refetch()}>
              {common.retry}
            </Button>
          }
        />
      </Sheet>
    )
  }
  if (about.data.trim() === '') return <AboutDefault />
  return <SiteContent source={about.data} title={text.about} />
}

function AboutDefault() {
  const text = useText(pagesText)
  const { system_name } = useStatus()
  const admin = useIsAdmin()
  const guide = useGuideAddress()
  return (
    <Sheet>
      <EmptyState
        icon={<IconInfoCircle size={32} stroke={1.5} />}
        title={text.aboutDefault(system_name)}
        help={text.aboutHelp}
        action={
          <Group justify="center">
            <Button component="a" href={guide} variant="default">
              {text.goGuide}
            </Button>
            {admin && (
              <ButtonLink to="/setting" search={{ tab: 'other' }} hash="about" variant="default">
                {text.goSettings}
              </ButtonLink>
            )}
          </Group>
        }
      />
    </Sheet>
  )
}

function AboutSkeleton() {
  return (
    <Sheet>
      <div aria-busy="true">
        <Skeleton height={20} width="30%" mb={20} />
        <Skeleton height={12} width="90%" mb={10} />
        <Skeleton height={12} width="80%" mb={10} />
        <Skeleton height={12} width="60%" />
      </div>
    </Sheet>
  )
}
