import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import classes from './safe-html.module.css'

// Operator content may look like anything, but must not run scripts, submit forms, or take over the window.
const purifier = DOMPurify()
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A' || !node.hasAttribute('href')) return
  node.setAttribute('rel', 'noopener noreferrer')
  if (/^https?:/i.test(node.getAttribute('href') ?? '')) node.setAttribute('target', '_blank')
})

export const sanitise = (html: string) =>
  purifier.sanitize(html, {
    FORBID_TAGS: ['form', 'input', 'button', 'textarea', 'select', 'style', 'dialog'],
    // A popover would leave the box of this content.
    FORBID_ATTR: ['popover', 'popovertarget', 'popovertargetaction'],
  })

/** The only place where text becomes markup. */
export function SafeHtml({ html }: { html: string }) {
  const clean = useMemo(() => sanitise(html), [html])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised one line above.
  return <div className={classes.content} dangerouslySetInnerHTML={{ __html: clean }} />
}
