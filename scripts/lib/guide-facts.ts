import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNEL_TYPES, ENDPOINTS, isOptionKey, OPTION_KEYS, OPTIONS } from '@tollgate/contract'
import { environmentDefaults } from '../../packages/server/src/common/config.ts'
import { AUDIT_FLAGS } from '../../packages/server/src/ledger/audit/audit-options.ts'
import { INITIAL_OPTIONS } from '../../packages/server/src/options/initial-options.ts'
import type { GuideLanguage } from './guide-pages.ts'
import { ROOT } from './run.mjs'

export interface Setting {
  name: string
  /** The page that describes it. */
  page: 'settings' | 'running'
  /** As written on the page. */
  initial: Record<GuideLanguage, string>
  /** Its label on the screen. */
  label?: Record<GuideLanguage, string>
}

/** The facts about the product that the guide is checked against. */
export interface GuideFacts {
  settings: readonly Setting[]
  /** Commands of `npm run`. */
  scripts: readonly string[]
  /** Commands of `tollgate`. */
  commands: readonly string[]
  flags: readonly string[]
  /** URLs of the console, such as `/token/edit/:id`. */
  screens: readonly string[]
  /** Calls of the management API, such as `PUT /api/option/`. */
  calls: readonly string[]
  isOnScreen(words: string, language: GuideLanguage): boolean
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const TEXTS = 'packages/console/src/text'
const ROUTES = 'packages/console/src/app/routes'

export const guideFacts = async (): Promise<GuideFacts> => {
  const words = { zh: await wordsOf('zh'), en: await wordsOf('en') }
  const variables = Object.entries(environmentDefaults())
  return {
    settings: [
      ...variables.map(([name, initial]) => ({
        name,
        page: 'running' as const,
        initial: inBoth(codeOf(initial ?? '')),
      })),
      ...(await options()),
    ],
    scripts: Object.keys(JSON.parse(read('package.json')).scripts),
    commands: ['help', ...matches(read('packages/server/src/main.ts'), /^ {2}tollgate ([\w-]+)/gm)],
    flags: [...AUDIT_FLAGS, ...variables.map(([name]) => name.toLowerCase().replaceAll('_', '-'))],
    screens: readdirSync(join(ROOT, ROUTES))
      .flatMap((file) => matches(read(join(ROUTES, file)), /path: '(\/[^']*)'/g))
      .map((path) => path.replace('$', ':')),
    calls: ENDPOINTS.map(({ endpoint: { method, path } }) => `${method} ${path}`),
    isOnScreen: (text, language) => words[language].has(text) || words[language].has(`${text}${STOP[language]}`),
  }
}

async function options(): Promise<Setting[]> {
  const zh = (await import(join(ROOT, TEXTS, 'zh/options.ts'))).zh.label
  const en = (await import(join(ROOT, TEXTS, 'en/options.ts'))).en.label
  return OPTION_KEYS.filter(isOptionKey).map((name) => {
    const { kind } = OPTIONS[name]
    const initial = INITIAL_OPTIONS[name] ?? OPTIONS[name].default
    const on = initial === 'true'
    return {
      name,
      page: 'settings',
      label: { zh: zh[name], en: en[name] },
      initial: kind === 'toggle' ? { zh: on ? '开' : '关', en: on ? 'on' : 'off' } : inBoth(codeOf(initial)),
    }
  })
}

const inBoth = (text: string) => ({ zh: text, en: text })
const codeOf = (initial: string) => (initial === '' ? '–' : initial)
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const VALUE = '\0'
const STOP = { zh: '。', en: '.' }

/** Every text of the console in a language, including those of the contract. */
async function wordsOf(language: GuideLanguage) {
  const found = new Set<string>(CHANNEL_TYPES.map(({ label }) => label[language]))
  for (const file of readdirSync(join(ROOT, TEXTS, language))) {
    collect((await import(join(ROOT, TEXTS, language, file)))[language], found)
  }
  return found
}

/** A sentence with a value counts up to the value: `Fill in related models (12)`. */
function collect(value: unknown, into: Set<string>) {
  if (typeof value === 'string') into.add(value)
  if (typeof value === 'function')
    into.add(
      String(value(VALUE, VALUE, VALUE))
        .split(VALUE)[0]
        ?.replace(/ ?\($/, '') ?? '',
    )
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) collect(member, into)
}
