/** A mail as its reader sees it. */
export interface ParsedMail {
  /** By lower-case name, unfolded and decoded. A header that appears twice has both values, one per line. */
  headers: Record<string, string>
  text: string
  html: string
}

/** As much of MIME as a mail program needs to read what we send: encoded words, multipart, base64, quoted-printable. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = split(raw)
  const parts = leaves(headers, body)
  const partOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? ''
  const decoded = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decodeWords(value)]))
  return { headers: decoded, text: partOf('text/plain'), html: partOf('text/html') }
}

function split(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers: Record<string, string> = {}
  const head = end === -1 ? raw : raw.slice(0, end)
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/s.exec(line) ?? []
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}\n${value}` : value
  }
  return { headers, body: end === -1 ? '' : raw.slice(end + 4) }
}

function leaves(headers: Record<string, string>, body: string): { type: string; content: string }[] {
  const type = headers['content-type'] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary === undefined) return [{ type, content: decodeBody(body, headers['content-transfer-encoding'] ?? '') }]
  const sections = body.split(`--${boundary}`).slice(1, -1)
  return sections.flatMap((section) => {
    const part = split(section.replace(/^\r\n/, '').replace(/\r\n$/, ''))
    return leaves(part.headers, part.body)
  })
}

function decodeBody(body: string, encoding: string) {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (/quoted-printable/i.test(encoding)) return quotedPrintable(body.replace(/=\r\n/g, ''))
  return body
}

function decodeWords(value: string) {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2') // the space between two encoded words belongs to neither
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : quotedPrintable(text.replaceAll('_', ' ')),
    )
}

function quotedPrintable(text: string) {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
