import { Button } from '@mantine/core'
import { framing } from '../../lib/browser/framing.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { EmptyState } from '../table/empty-state.tsx'
import classes from './framed-site.module.css'
import { IconExternalLink, IconFrameOff } from './icons.tsx'

/** Another site in a frame. It may run scripts, but cannot access the console, and gets no referrer. */
export function FramedSite({ url, title }: { url: string; title: string }) {
  const text = useText(commonText)
  const { allowed, sandbox } = framing(url, window.location.origin)
  if (allowed) {
    return (
      <iframe
        className={classes.frame}
        src={url}
        title={title}
        sandbox={sandbox}
        referrerPolicy="no-referrer"
        allow="clipboard-write"
      />
    )
  }
  return (
    <EmptyState
      icon={<IconFrameOff size={32} stroke={1.5} />}
      title={text.frameRefused}
      help={text.frameRefusedHelp}
      action={
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={16} />}
        >
          {text.openInTab}
        </Button>
      }
    />
  )
}
