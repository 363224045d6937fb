import { FramedSite } from '../layout/framed-site.tsx'
import { Sheet } from '../layout/sheet.tsx'
import { SafeMarkdown } from './safe-markdown.tsx'

/** Operator content of a page: the https address of a site, or Markdown and HTML. */
export function SiteContent({ source, title }: { source: string; title: string }) {
  const address = source.trim()
  if (/^https:\/\/\S+$/.test(address)) return <FramedSite url={address} title={title} />
  return (
    <Sheet>
      <SafeMarkdown source={source} />
    </Sheet>
  )
}
