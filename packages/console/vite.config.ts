import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export default defineConfig({
  plugins: [react()],
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
    },
  },
})
