import type { Language } from '../common/errors.ts'
import type { Heading } from './guide-markup.ts'

export interface Chapter {
  /** Its file name without `.md`, and the last part of its URL. */
  name: string
  title: string
}

interface Page {
  language: Language
  /** Undefined: the table of contents. */
  name: string | undefined
  chapters: readonly Chapter[]
  html: string
  headings: readonly Heading[]
}

/** A self-contained page of the guide: no script, no other host. */
export const guidePage = ({ language, name, chapters, html, headings }: Page) => {
  const at = chapters.findIndex((chapter) => chapter.name === name)
  const title = chapters[at]?.title
  const body = html.replace('</h1>', `</h1>${sections(headings, language)}`)
  return frame({
    language,
    title: title === undefined ? WORDS[language].guide : `${title} · ${WORDS[language].guide}`,
    other: addressOf(OTHER[language], name),
    menu: chapters.map((chapter) => entry(chapter, language, chapter.name === name)).join(''),
    body: `${body}${steps(chapters, at, language)}`,
  })
}

/** For a URL without a page. */
export const guideMissing = (language: Language, chapters: readonly Chapter[]) => {
  const { missing, missingHelp, contents } = WORDS[language]
  return frame({
    language,
    title: missing,
    other: addressOf(OTHER[language], undefined),
    menu: chapters.map((chapter) => entry(chapter, language, false)).join(''),
    body: `<h1>${missing}</h1><p>${missingHelp} <a href="${addressOf(language, undefined)}">${contents}</a></p>`,
  })
}

export const addressOf = (language: Language, name: string | undefined) =>
  `/docs/guide/${language}${name === undefined ? '' : `/${name}`}`

const OTHER: Record<Language, Language> = { zh: 'en', en: 'zh' }
const TAG: Record<Language, string> = { zh: 'zh-CN', en: 'en' }

const WORDS = {
  zh: {
    guide: 'Tollgate 使用指南',
    contents: '目录',
    onPage: '本页内容',
    console: '控制台',
    api: '接口文档',
    other: 'English',
    previous: '上一页',
    next: '下一页',
    missing: '没有这一页',
    missingHelp: '地址可能有误，或者这一页已经改名。',
    skip: '跳到正文',
  },
  en: {
    guide: 'Tollgate guide',
    contents: 'Contents',
    onPage: 'On this page',
    console: 'Console',
    api: 'API',
    other: '中文',
    previous: 'Previous',
    next: 'Next',
    missing: 'There is no such page',
    missingHelp: 'The address may be mistyped, or the page has another name now.',
    skip: 'Skip to the text',
  },
}

interface Frame {
  language: Language
  title: string
  /** The same page in the other language. */
  other: string
  menu: string
  body: string
}

function frame({ language, title, other, menu, body }: Frame) {
  const words = WORDS[language]
  return `<!doctype html><html lang="${TAG[language]}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(title)}</title><style>${STYLE}</style>
<a class="skip" href="#text">${words.skip}</a>
<header><a class="brand" href="${addressOf(language, undefined)}">${words.guide}</a><span>
<a class="contents" href="${addressOf(language, undefined)}">${words.contents}</a>
<a href="/">${words.console}</a> <a href="/docs">${words.api}</a>
<a href="${other}" lang="${TAG[OTHER[language]]}" hreflang="${TAG[OTHER[language]]}">${words.other}</a></span></header>
<div class="sheet"><nav aria-label="${words.contents}"><ol>${menu}</ol></nav><main id="text">${body}</main></div></html>`
}

const entry = ({ name, title }: Chapter, language: Language, current: boolean) =>
  `<li><a href="${addressOf(language, name)}"${current ? ' aria-current="page"' : ''}>${Bun.escapeHTML(title)}</a></li>`

/** The sections of a long page. */
function sections(headings: readonly Heading[], language: Language) {
  const second = headings.filter(({ level }) => level === 2)
  if (second.length < SECTIONS_MIN) return ''
  const links = second.map(({ id, text }) => `<li><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`)
  return `<nav class="sections" aria-label="${WORDS[language].onPage}"><ul>${links.join('')}</ul></nav>`
}

const SECTIONS_MIN = 4

function steps(chapters: readonly Chapter[], at: number, language: Language) {
  if (at === -1) return ''
  const { previous, next } = WORDS[language]
  const link = (chapter: Chapter | undefined, label: string, rel: string) =>
    chapter === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${addressOf(language, chapter.name)}"><small>${label}</small>${Bun.escapeHTML(chapter.title)}</a>`
  return `<footer>${link(chapters[at - 1], previous, 'prev')}${link(chapters[at + 1], next, 'next')}</footer>`
}

const STYLE = `:root{color-scheme:light dark;--accent:#0f766e;--line:#dfe3e8;--soft:#f4f6f8;--ink:#1f2933;--faint:#5b6672;--paper:#fff}
@media (prefers-color-scheme:dark){:root{--accent:#5eead4;--line:#343a43;--soft:#22262d;--ink:#dbe1e8;--faint:#9aa5b1;--paper:#191c21}}
*{box-sizing:border-box}html{scroll-padding-top:4rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei",
"Noto Sans CJK SC",sans-serif;overflow-wrap:break-word}a{color:var(--accent)}
header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;
padding:.75rem 1.25rem;background:var(--paper);border-bottom:1px solid var(--line);font-size:14px}header a{margin-right:.75rem}
.brand{font-weight:600;text-decoration:none;color:var(--ink)}.skip{position:absolute;left:-99rem}.skip:focus{left:1rem}
.sheet{display:flex;gap:3rem;max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
.sheet>nav{flex:0 0 13rem;position:sticky;top:4.5rem;align-self:flex-start;font-size:14px}
.sheet>nav ol{list-style:none;margin:0;padding:0}.sheet>nav a{display:block;padding:.3rem .75rem;color:var(--faint);
text-decoration:none;border-left:2px solid var(--line)}.sheet>nav a:hover{color:var(--ink)}
.sheet>nav a[aria-current]{color:var(--accent);border-color:var(--accent);font-weight:600}
main{flex:1;min-width:0;max-width:48rem}h1{font-size:1.9rem;line-height:1.25;margin:.25rem 0 1rem}
h2{font-size:1.35rem;margin:2.5rem 0 .5rem;padding-top:.5rem;border-top:1px solid var(--line)}h3{font-size:1.1rem;margin:1.75rem 0 .25rem}
.sections ul{list-style:none;margin:0 0 1.5rem;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1rem;font-size:14px}
code{font:13.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--soft);padding:.1em .35em;border-radius:4px}
:not(pre)>code{overflow-wrap:anywhere}pre{overflow:auto;background:var(--soft);padding:.9rem 1rem;border-radius:8px;line-height:1.55}
pre code{padding:0;background:none}blockquote{margin:1rem 0;padding:.1rem 1rem;border-left:3px solid var(--accent);background:var(--soft)}
.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;width:100%;font-size:14.5px;line-height:1.55}
th,td{padding:.45rem .7rem .45rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{font-weight:600;white-space:nowrap}td code{overflow-wrap:normal}.cards td:nth-child(2) code{overflow-wrap:anywhere}.cards td:nth-child(2){min-width:6rem}td:first-child code{white-space:nowrap}td:last-child{min-width:13rem}[align=right]{text-align:right;font-variant-numeric:tabular-nums}
img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
main>footer{display:flex;justify-content:space-between;gap:1rem;margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}
main>footer small{display:block;color:var(--faint)}main>footer a[rel=next]{text-align:right}
@media (max-width:60rem){.sheet>nav{display:none}}@media (min-width:60.01rem){.contents{display:none}}
@media (max-width:30rem){body{font-size:15.5px}h1{font-size:1.55rem}.sheet{padding:1rem 1rem 3rem}header{padding:.6rem 1rem}}
@media (max-width:40rem){.cards thead{display:none}.cards tr,.cards td{display:block;min-width:0;padding:0;border:0}.cards tr{padding:.7rem 0;
border-bottom:1px solid var(--line)}.cards td code{overflow-wrap:anywhere;white-space:normal}
.cards td:not(:first-child):not(:last-child)::before{content:attr(data-head) " ";color:var(--faint)}}
@media print{header,.sheet>nav,main>footer{display:none}}`
