import { Button } from '@mantine/core'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconRefresh } from '../../ui/layout/icons.tsx'
import classes from './banners.module.css'

/** The server was updated while this page was open, or a cache kept an old page. */
export function VersionBanner({ server, console }: { server: string; console: string }) {
  const text = useText(appText)
  return (
    <div className={classes.banner} data-tone="info" role="status">
      <IconRefresh size={18} aria-hidden />
      <span className={classes.text}>{text.versionDiffers(server, console)}</span>
      <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
    </div>
  )
}
