import { ENDPOINTS, type EndpointShape } from '@tollgate/contract'
import { z } from 'zod'

/** The contract as a self-contained page: no script, no other host. */
export const docsPage = () => {
  const nouns = [...new Set(ENDPOINTS.map(({ noun }) => noun))]
  const sections = nouns.map((noun) => {
    const calls = ENDPOINTS.filter((entry) => entry.noun === noun).map(({ endpoint }) => call(endpoint))
    return `<section id="${noun}"><h2>${noun}</h2>${calls.join('')}</section>`
  })
  const menu = nouns.map((noun) => `<a href="#${noun}">${noun}</a>`).join(' ')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tollgate API</title><style>${STYLE}</style><main><h1>Tollgate API</h1>
<p>Every answer is <code>{ success, message, data }</code>; a refusal has <code>success: false</code> and says why in
<code>message</code>, in Chinese or, with <code>Accept-Language: en</code>, in English. Sign in with
<code>POST /api/user/login</code> and keep the cookie, or send an access token as <code>Authorization: Bearer …</code>.
Lists take <code>p</code> from 0 and answer ten rows and <code>X-Total-Count</code>.
Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>.</p><nav>${menu}</nav>${sections.join('')}</main></html>`
}

const STYLE = `:root{color-scheme:light dark;--line:#8885}body{font:14px/1.6 system-ui,sans-serif;margin:0}
main{max-width:56rem;margin:0 auto;padding:2rem 1rem}nav a{margin-right:.75rem}h2{margin-top:2.5rem;text-transform:capitalize}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.5rem .75rem}summary{cursor:pointer}
code,pre{font-family:ui-monospace,monospace;font-size:13px}pre{overflow:auto;background:#8881;padding:.75rem;border-radius:8px}
.method{display:inline-block;min-width:4rem;font-weight:600}.access{float:right;opacity:.7}`

function call(endpoint: EndpointShape) {
  const { method, path, access, summary, query, body, data } = endpoint
  const parts = [
    `<p>${escaped(summary.zh)}</p>`,
    schema('Query', query, 'input'),
    schema('Body', body, 'input'),
    schema('Data', data, 'output'),
  ]
  return `<details><summary><span class="method">${method}</span> <code>${escaped(path)}</code>
<span class="access">${access}</span><br>${escaped(summary.en)}</summary>${parts.join('')}</details>`
}

function schema(title: string, type: z.ZodType | undefined, io: 'input' | 'output') {
  if (type === undefined) return ''
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return `<h3>${title}</h3><pre>${escaped(JSON.stringify(rest, null, 2))}</pre>`
}

function escaped(text: string) {
  return Bun.escapeHTML(text)
}
