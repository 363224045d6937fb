import type { Language } from '../common/errors.ts'

export interface MailContent {
  subject: string
  html: string
  text: string
}

/** The blocks of a mail, in order. The plain-text form is made from the same blocks, so the two cannot differ. */
export type Block = string | { code: string } | { button: string; link: string }

interface Sheet {
  language: Language
  systemName: string
  title: string
  blocks: Block[]
}

export function layout({ language, systemName, title, blocks }: Sheet): MailContent {
  const footer = FOOTER[language](systemName)
  return {
    subject: language === 'zh' ? `【${systemName}】${title}` : `[${systemName}] ${title}`,
    html: page({
      language,
      systemName,
      title,
      footer,
      body: blocks.map((block) => asHtml(block, language)).join('\n'),
    }),
    text: [title, ...blocks.map((block) => asText(block, language)), `-- \n${footer}`].join('\n\n'),
  }
}

const FOOTER = {
  zh: (systemName: string) => `此邮件由 ${systemName} 自动发送，请勿直接回复。`,
  en: (systemName: string) => `This mail was sent automatically by ${systemName}. Please do not reply to it.`,
}

const COPY_HINT = {
  zh: '如果按钮无法点击，请将以下链接复制到浏览器中打开：',
  en: 'If the button does not work, copy this link into your browser:',
}

function asText(block: Block, language: Language) {
  if (typeof block === 'string') return block
  if ('code' in block) return `    ${block.code}`
  // In Chinese too a space comes before the link: some mail programs take the colon as a part of it.
  return language === 'zh' ? `${block.button}： ${block.link}` : `${block.button}: ${block.link}`
}

const PARAGRAPH = 'margin:0 0 16px;line-height:1.7'
const CODE =
  'margin:8px 0 24px;padding:16px;border-radius:8px;background:#f1f3f5;text-align:center;font:600 28px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px'
const BUTTON =
  'display:inline-block;padding:12px 28px;border-radius:8px;background:#1864ab;color:#ffffff;font-weight:600;text-decoration:none'
const SMALL = 'margin:0 0 16px;line-height:1.6;font-size:13px;color:#5c636a;word-break:break-all'

/** Inline styles: mail programs drop style sheets. */
function asHtml(block: Block, language: Language) {
  if (typeof block === 'string') return `<p style="${PARAGRAPH}">${Bun.escapeHTML(block)}</p>`
  if ('code' in block) return `<div style="${CODE}">${Bun.escapeHTML(block.code)}</div>`
  const link = Bun.escapeHTML(block.link)
  return [
    `<p style="margin:8px 0 24px"><a href="${link}" style="${BUTTON}">${Bun.escapeHTML(block.button)}</a></p>`,
    `<p style="${SMALL}">${COPY_HINT[language]}<br><a href="${link}" style="color:#1864ab">${link}</a></p>`,
  ].join('\n')
}

interface Page {
  language: Language
  systemName: string
  title: string
  footer: string
  body: string
}

function page({ language, systemName, title, footer, body }: Page) {
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${Bun.escapeHTML(title)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f1f3f5;color:#212529;font:15px/1.7 -apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;border-radius:12px;background:#ffffff">
<p style="margin:0 0 4px;font-size:13px;color:#5c636a">${Bun.escapeHTML(systemName)}</p>
<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3">${Bun.escapeHTML(title)}</h1>
${body}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dee2e6;font-size:12px;color:#5c636a">${Bun.escapeHTML(footer)}</p>
</div>
</body>
</html>
`
}
