import { marked } from 'marked'
import { useMemo } from 'react'
import { SafeHtml } from './safe-html.tsx'

/** Markdown, in which HTML is allowed as far as it is harmless. */
export function SafeMarkdown({ source }: { source: string }) {
  const html = useMemo(() => marked.parse(source, { async: false }), [source])
  return <SafeHtml html={html} />
}
