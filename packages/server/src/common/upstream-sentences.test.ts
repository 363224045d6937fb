import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { upstreamText, upstreamTextIn } from './upstream-sentences.ts'

const SOURCES = ['../../src', '../../../providers/src'].map((folder) => join(import.meta.dirname, folder))

/** The arguments of these say what went wrong at a vendor. A failure of class `client` is about the request. */
const SAID = [
  /failureOf\(\s*'(?:server|timeout|rate|auth)',\s*(?:[\w.()[\], ]+ (?:\?\?|\|\|) )?(['"`])(.*?)(?<!\\)\1/gs,
  /new (?:ProxyFault|ProtocolError|TooSlow)\(\s*(['"`])(.*?)(?<!\\)\1/gs,
  /(['"`])((?:The upstream|The vendor|This channel) [^\n]*?)(?<!\\)\1/g,
]

const sentencesIn = (text: string) =>
  SAID.flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, , sentence = '']) => sentence.replace(/\$\{[^}]*\}/g, '418'))
    .filter((sentence) => sentence.includes(' '))

const OUR_SENTENCES = new Set(
  SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !/\.test\.ts$|testing\/|upstream-sentences|error-catalogue|warning/.test(file),
      )
      .flatMap((file) => sentencesIn(readFileSync(join(folder, file), 'utf8'))),
  ),
)

test('every sentence of ours about a vendor can be read in Chinese', () => {
  expect(OUR_SENTENCES.size).toBeGreaterThan(60)
  const untranslated = [...OUR_SENTENCES].filter((sentence) => !/\p{Script=Han}/u.test(upstreamText(sentence).zh))
  expect(untranslated).toEqual([])
})

test('values of a sentence are kept, and sentences within it are translated too', () => {
  expect(upstreamText('The upstream answered with status 502')).toEqual({
    zh: '上游返回了状态码 502',
    en: 'The upstream answered with status 502',
  })
  expect(upstreamTextIn('The proxy of the channel failed: it refused the connection with status 403', 'zh')).toBe(
    '渠道的代理出错：它拒绝了连接，状态码 403',
  )
  expect(upstreamTextIn('502 The upstream cannot be reached', 'zh')).toBe('502 无法连接上游')
})

test("a vendor's words stay as they are", () => {
  for (const words of ['Overloaded', '', 'The upstream', '429 Rate limit reached for gpt-4o', 'Prompt {} too long'])
    expect(upstreamText(words)).toEqual({ zh: words, en: words })
})
