import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { finishBuild } from './scripts/finish-build.mjs'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Mantine's own core and the components of the login page, which all other pages use too. */
const BASE_COMPONENTS = new RegExp(
  'node_modules/(clsx|@mantine/hooks/esm/(use-id|use-uncontrolled)|@mantine/core/esm/(core|components/(Box|Button|Input|InputBase|' +
    'TextInput|PasswordInput|Loader|Transition|Text|Anchor|Alert|UnstyledButton|ActionIcon|CloseButton)))/',
)

/** Small files of ours that every page needs: apart, each would cost a request and its headers. */
const CORE = new RegExp(
  'console/src/(api/(address|api-error|call|url|status|failure)|text/(text|words)|lib/(session-user|storage|locale|default-password))|' +
    'contract/src/(roles|quota|limits|text|fields|envelope|session|status)|createReactComponent',
)

/** What the visitor's pages share. */
const SESSION = /features\/session\/(enter|queries|session-card)|text\/(\w+\/)?session\.ts|lib\/fields\.ts/

/** The console checks with zod and never describes: the half of zod that writes JSON Schema is 5 KB on every page. */
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

export default defineConfig({
  plugins: [react(), withoutJsonSchema, finishBuild()],
  define: { __CONSOLE_VERSION__: JSON.stringify(version) },
  resolve: {
    // In development the package's index would load some five thousand icons one by one.
    alias: { '@tabler/icons-react': '@tabler/icons-react/dist/esm/icons/index.mjs' },
  },
  server: {
    proxy: { '/api': process.env.SERVER_ADDRESS ?? 'http://localhost:3000' },
  },
  build: {
    manifest: true,
    target: 'es2022',
    // Inlined assets would be data URLs in scripts and styles; files of their own are cached and counted.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // The contract is schemas only: an endpoint that a page does not name need not reach that page.
        moduleSideEffects: [{ test: /packages\/contract\//, sideEffects: false }],
      },
      output: {
        // What every page needs, in few files that stay in the browser's cache from one release to the next.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'state', test: /node_modules\/(@tanstack|zod|use-sync-external-store)\// },
            { name: 'base', test: BASE_COMPONENTS },
            { name: 'core', test: CORE },
            { name: 'session', test: SESSION },
          ],
        },
      },
    },
  },
})
