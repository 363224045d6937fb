import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Tells `boot.js` which files each URL needs, so that the browser requests a page's own code together with the entry's instead of after
 * it. The map is in the HTML, which is never cached: it always names the files of its build.
 * @returns {import('vite').Plugin}
 */
export const pageMap = () => {
  let root = ''
  return {
    name: 'page-map',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (bundle === undefined) throw new Error('The map needs the built files')
        const pages = JSON.stringify(pagesOf(bundle, root)).replaceAll("'", '&#39;')
        const mapped = html.replace('<script src="/boot.js">', `<script src="/boot.js" data-pages='${pages}'>`)
        if (mapped === html) throw new Error('index.html does not load boot.js')
        return mapped
      },
    },
  }
}

/**
 * The files of each address beyond the entry's: of those that a visitor may see, and of all for whom is signed in.
 * @param {import('vite').Rolldown.OutputBundle} bundle
 * @param {string} root
 */
function pagesOf(bundle, root) {
  const folder = join(root, 'src/app/routes')
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const routes = [
    ...source.matchAll(/path: '([^']+)'.*?(public|private|admin)Page\(.*?import\('\.\.\/\.\.\/([^']+)'/gs),
  ]
  if (routes.length !== source.split('= createRoute(').length - 1) throw new Error('A route names no page')

  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  /** @param {(chunk: import('vite').Rolldown.OutputChunk) => boolean} wanted */
  const find = (wanted) => {
    const chunk = chunks.find(wanted)
    if (chunk === undefined) throw new Error('A page or the frame has no file')
    return chunk
  }
  const entry = filesOf([find(({ isEntry }) => isEntry)], bundle)
  /** @param {import('vite').Rolldown.OutputChunk[]} loaded */
  const besidesEntry = (loaded) => [...filesOf(loaded, bundle)].filter((file) => !entry.has(file))
  const frame = find(({ name }) => name === 'frame')

  /** @type {{ visitor: Record<string, string[]>, user: Record<string, string[]> }} */
  const pages = { visitor: {}, user: {} }
  for (const [, path = '', access, module = ''] of routes) {
    const page = find(({ facadeModuleId }) => facadeModuleId === join(root, 'src', module))
    if (access === 'public') pages.visitor[path] = besidesEntry([page])
    pages.user[path] = besidesEntry([page, frame])
  }
  return pages
}

/**
 * These chunks, what they import statically, and the styles of all of them.
 * @param {import('vite').Rolldown.OutputChunk[]} chunks
 * @param {import('vite').Rolldown.OutputBundle} bundle
 * @param {Set<string>} seen
 */
function filesOf(chunks, bundle, seen = new Set()) {
  for (const { fileName, imports, viteMetadata } of chunks) {
    if (seen.has(fileName)) continue
    seen.add(fileName)
    for (const style of viteMetadata?.importedCss ?? []) seen.add(style)
    const next = imports.map((file) => bundle[file]).filter((file) => file?.type === 'chunk')
    filesOf(next, bundle, seen)
  }
  return seen
}
