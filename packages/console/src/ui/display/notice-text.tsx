import classes from '../feedback/toaster.module.css'
import { SafeMarkdown } from './safe-markdown.tsx'

/** An operator's notice inside a toast. A long one scrolls, and must be reachable by keyboard. */
export function NoticeText({ source }: { source: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <div className={classes.notice} tabIndex={0}>
      <SafeMarkdown source={source} />
    </div>
  )
}
