import { Anchor } from '@mantine/core'
import { SafeHtml } from '../../../ui/display/safe-html.tsx'
import { SafeMarkdown } from '../../../ui/display/safe-markdown.tsx'

/** As the page will show it; a whole site is only named, because loading it while typing would request it repeatedly. */
export function DocumentPreview({ source, plain }: { source: string; plain: boolean }) {
  if (plain) return <SafeHtml html={source} />
  const address = source.trim()
  if (!/^https:\/\/\S+$/.test(address)) return <SafeMarkdown source={source} />
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </Anchor>
  )
}
