import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useStatus } from '../../api/status.ts'
import { homeText } from '../../text/home.ts'
import { useText } from '../../text/text.ts'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Logo } from '../../ui/layout/logo.tsx'
import classes from './home-page.module.css'
import { homeContent } from './queries.ts'
import { SystemStatus } from './system-status.tsx'

const SiteContent = lazy(() =>
  import('../../ui/display/site-content.tsx').then((file) => ({ default: file.SiteContent })),
)

/** The operator's content, or a plain welcome when there is none, or it could not be fetched. */
export function VisitorHome() {
  const text = useText(homeText)
  const { data: content, isPending } = useQuery(homeContent)
  if (isPending) return <ContentSkeleton />
  if (content === undefined || content.trim() === '') return <Welcome />
  return (
    <Suspense fallback={<ContentSkeleton />}>
      <SiteContent source={content} title={text.content} />
    </Suspense>
  )
}

function Welcome() {
  const text = useText(homeText)
  const { system_name, logo, register, server_address } = useStatus()
  return (
    <div className={classes.visitor}>
      <div className={classes.welcome}>
        <Logo src={logo} size={56} />
        <h2 className={classes.title}>{text.welcome(system_name)}</h2>
        <p className={classes.help}>{text.welcomeHelp}</p>
        <div className={classes.enter}>
          <ButtonLink to="/login">{text.login}</ButtonLink>
          {register && (
            <ButtonLink to="/register" variant="default">
              {text.register}
            </ButtonLink>
          )}
        </div>
      </div>
      <ul className={classes.offers} aria-label={text.offers}>
        <Offer title={text.offerEnter} help={register ? text.offerEnterHelp : text.offerEnterOnlyHelp} />
        <Offer title={text.offerKey} help={text.offerKeyHelp} />
        <Offer title={text.offerCall} help={text.offerCallHelp(server_address || window.location.origin)} />
      </ul>
      <SystemStatus />
    </div>
  )
}

function Offer({ title, help }: { title: string; help: string }) {
  return (
    <li className={classes.offer}>
      <h3>{title}</h3>
      <p>{help}</p>
    </li>
  )
}

function ContentSkeleton() {
  return (
    <div className={classes.visitor} aria-busy="true">
      <Skeleton height={28} width="40%" mt={48} />
      <Skeleton height={14} />
      <Skeleton height={14} width="80%" />
    </div>
  )
}
