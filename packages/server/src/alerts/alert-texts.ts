import type { Text } from '@tollgate/contract'
import type { Language } from '../common/errors.ts'
import type { StoredDestination } from './alert-destinations-repository.ts'
import type { AlertMessage } from './alert-message.ts'
import type { Finding } from './conditions/condition.ts'

interface Site {
  name: string
  /** The address of its console. */
  address: string
  /** Unix seconds. */
  now: number
}

type Reader = Pick<StoredDestination, 'language' | 'zone'>

/** The message when a subject starts firing. */
export function alertMessage(kind: string, finding: Finding, site: Site, reader: Reader): AlertMessage {
  const language = languageOf(reader)
  return {
    ...frame({ event: 'alert', kind, subject: finding.subject }, site, reader),
    title: onSite(site, finding.title[language]),
    lines: finding.lines(timeIn(reader.zone)).map((line) => line[language]),
    link: new URL(finding.path, site.address).href,
  }
}

/** The message when it is over. */
export function overMessage(
  { kind, subject, title, since }: { kind: string; subject: string; title: Text; since: number },
  site: Site,
  reader: Reader,
): AlertMessage {
  const language = languageOf(reader)
  const time = timeIn(reader.zone)
  const lines = {
    zh: `自 ${time(since)} 起的告警，于 ${time(site.now)} 结束`,
    en: `Started at ${time(since)}, resolved at ${time(site.now)}`,
  }
  return {
    ...frame({ event: 'over', kind, subject }, site, reader),
    title: onSite(site, { zh: `已恢复：${title.zh}`, en: `Resolved: ${title.en}` }[language]),
    lines: [lines[language]],
  }
}

export function testMessage(site: Site, reader: Reader): AlertMessage {
  const language = languageOf(reader)
  const time = timeIn(reader.zone)
  return {
    ...frame({ event: 'test', kind: '', subject: '' }, site, reader),
    title: onSite(site, { zh: '测试告警', en: 'Test alert' }[language]),
    lines: [
      { zh: `这是一条测试消息，发送于 ${time(site.now)}`, en: `This is a test message, sent at ${time(site.now)}` }[
        language
      ],
    ],
  }
}

const frame = (
  what: Pick<AlertMessage, 'event' | 'kind' | 'subject'>,
  { address, now }: Site,
  reader: Reader,
): Omit<AlertMessage, 'title' | 'lines'> => ({
  ...what,
  link: new URL('/alert', address).href,
  language: languageOf(reader),
  at: now,
})

const onSite = ({ name }: Pick<Site, 'name'>, title: string) => `[${name}] ${title}`

/** The title for a way that names the site itself. */
export const titleAlone = (title: string, site: Pick<Site, 'name'>) => {
  const prefix = onSite(site, '')
  return title.startsWith(prefix) ? title.slice(prefix.length) : title
}

const languageOf = ({ language }: Reader): Language => (language === 'en' ? 'en' : 'zh')

/** A time with the name of its zone, because the reader may be anywhere. */
const timeIn = (zone: string) => {
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return (atSec: number) => `${form.format(atSec * 1000)} (${zone})`
}
