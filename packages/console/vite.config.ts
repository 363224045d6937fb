import { readdirSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { finishBuild } from './scripts/finish-build.mjs'
import { icons } from './scripts/icons.mjs'
import { pageMap } from './scripts/page-map.mjs'

const SOURCES = readdirSync(new URL('src', import.meta.url), { recursive: true, encoding: 'utf8' })
const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'))
/** Files of ours by how their paths begin. One that was moved would leave its group in silence, and cost every page a file more. */
const ours = (folder: string, names: string) => {
  const missing = names
    .split('|')
    .filter((name) => !SOURCES.some((file) => new RegExp(`^${folder}/${name}`).test(file)))
  if (missing.length > 0) throw new Error(`There is no file in src/${folder} that is called ${missing.join(' or ')}`)
  return new RegExp(`console/src/${folder}/(${names})`)
}
const mantine = (names: string) => new RegExp(`@mantine/core/esm/components/(${names})/`)

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Where the development server proxies calls to. */
const SERVER_ADDRESS = process.env.SERVER_ADDRESS ?? 'http://localhost:3000'

/**
 * Few files instead of one per component: what is always needed together is fetched together. A group also takes what its modules
 * import, unless an earlier group has it; `$initial` is everything that the entry imports.
 */
const GROUPS: Rolldown.CodeSplittingGroup[] = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'state', test: /node_modules\/(@tanstack|zod|use-sync-external-store)\// },
  { name: 'app', tags: ['$initial'] },
  // What all pages with form fields need, including the login page.
  { name: 'base', test: mantine('Alert|Button|CloseButton|Input|InputBase|PasswordInput|Skeleton|TextInput') },
  {
    name: 'visitor',
    test: anyOf(
      ours('features/session', 'enter|queries|session-card'),
      ours('api', 'start-oauth'),
      ours('lib/\\w+', 'countdown|fields'),
      ours('text', 'pages'),
      ours('ui/\\w+', 'copy.ts|empty-state|panel\\.|status-badge|time-text'),
    ),
  },
  { name: 'contract', test: /packages\/contract\/src\// },
  // What the signed-in shell needs, and so all other pages.
  {
    name: 'frame',
    test: anyOf(
      ours('app/shell', 'search-button|sidebar|user-menu'),
      ours('ui/\\w+', 'dialog-buttons|dialog-host|filter-chip|panel-rows|range-buttons|use-warned'),
      ours('lib/\\w+', 'zone'),
      ours('text', 'contract-text'),
      ours('api', 'own-user'),
      /@mantine\/hooks\/.*use-debounced-value/,
    ),
  },
  {
    name: 'list',
    test: anyOf(
      ours('ui/\\w+', 'channel-type-label|code-block|copy|data-table|ellipsis|group-tags|icon-link|nothing-found|page'),
      ours(
        'ui/\\w+',
        'folding-filters|hint|reason-field|remove-item|row-actions|row-selection|search-box|selection-bar',
      ),
      ours('lib/\\w+', 'format-ms|full-key|labels|limits-in-words|rate-limits|use-list-page'),
      ours('text', 'limits'),
      ours('api', 'available-models|group-names|list-cache|own-limits|record-of|token-by-id|use-list'),
      mantine('NativeSelect|Switch|Stack'),
    ),
  },
  {
    name: 'form',
    test: anyOf(
      ours('ui/\\w+', 'date-time-input|form-|limit|money-input|rate-limits|suggest-input|typed-filter'),
      ours('lib/\\w+', 'changed-members|focus-first-error|form-field|unsaved-guard'),
      ours('api', 'use-form-record|use-suggestions'),
      /@mantine\/form/,
      mantine(
        'Autocomplete|Combobox|MultiSelect|NumberInput|PillsInput|Progress|SegmentedControl|Select|TagsInput|Textarea',
      ),
    ),
  },
  // Shared by the list of channels, their form and the model list changes.
  {
    name: 'channels',
    test: anyOf(
      ours('features/channels', 'queries'),
      ours('features/channels/form', 'mapping|proxy-fields|tag-field'),
      ours('features/channels/list', 'change-preview|bulk-outcome|bulk-values|bulk-preview.module'),
      ours('text', 'channels|channel-list|model-lists'),
    ),
  },
]

/** The console only validates with zod: the half of zod that generates JSON Schema is 5 KB on every page. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  transform: {
    filter: { id: /zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
    handler: (code) => {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      return names.map((name) => `export const ${name} = () => undefined`).join('\n')
    },
  },
}

/** What an endpoint does is said in the API's documentation; the console never shows it, and it would be a quarter of the contract. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: {
    filter: { id: /packages\/contract\/src\// },
    handler: (code) => code.replace(SUMMARY, (text) => text.replace(/[^\n]/g, '')),
  },
}

/** Its lines stay, empty, so that positions in source maps are right. */
const SUMMARY = /\bsummary: \{\s*zh: ('[^'\n]*'|"[^"\n]*"),\s*en: ('[^'\n]*'|"[^"\n]*"),?\s*\},/g

export default defineConfig({
  plugins: [icons(), react(), withoutJsonSchema, withoutSummaries, pageMap(), finishBuild()],
  define: { __CONSOLE_VERSION__: JSON.stringify(version) },
  server: {
    // The Host stays that of the page: the server compares it with the Origin before it accepts a cookie.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/v1beta', '/docs'].map((path) => [path, { target: SERVER_ADDRESS, changeOrigin: false }]),
    ),
  },
  build: {
    manifest: true,
    target: 'es2022',
    // Inlined assets would be data URLs in scripts and styles; separate files are cached and counted.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // The contract is schemas only: an endpoint that a page does not use need not be loaded with it.
        moduleSideEffects: [{ test: /packages\/contract\//, sideEffects: false }],
      },
      output: {
        // What every page needs, in few files that stay in the browser's cache across releases.
        codeSplitting: {
          groups: GROUPS,
        },
      },
    },
  },
})
