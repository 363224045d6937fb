import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useGuideAddress } from '../../api/guide-address.ts'
import { useStatus } from '../../api/status.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import classes from './footer.module.css'

const SafeHtml = lazy(() => import('../../ui/display/safe-html.tsx').then((file) => ({ default: file.SafeHtml })))

/** The operator's own footer; without one, or if it must be `plain`, the product's name and version. */
export function Footer({ plain }: { plain: boolean }) {
  const text = useText(appText)
  const { footer_html, version } = useStatus()
  const guide = useGuideAddress()
  return (
    <footer className={classes.footer}>
      {plain || footer_html === '' ? (
        <>
          <Link to="/about">Tollgate</Link> · {text.tagline}
          {version !== '' && ` · ${text.version(version)}`} · <a href={guide}>{text.guide}</a>
        </>
      ) : (
        <Suspense>
          <SafeHtml html={footer_html} />
        </Suspense>
      )}
    </footer>
  )
}
