import { marked } from 'marked'
import { useMemo } from 'react'
import { SafeHtml } from './safe-html.tsx'

/** Markdown, with sanitised HTML. */
export function SafeMarkdown({ source }: { source: string }) {
  const html = useMemo(() => marked.parse(source, { async: false }), [source])
  return <SafeHtml html={html} />
}
