import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/*
 * Replaces an icon's name by its drawing: `icon('plus')` in `src/ui/layout/icons.tsx` becomes the outlines of Tabler's "plus". The set
 * is one data file; the package of React components made from it is 88 MB in twelve thousand files.
 */

const require = createRequire(import.meta.url)

/** @returns {import('vite').Plugin} */
export const icons = () => {
  /** @type {Record<string, { body: string }> | undefined} */
  let set
  return {
    name: 'icons',
    // Before other plugins, which would have changed the names.
    enforce: 'pre',
    transform: {
      filter: { id: /src\/ui\/layout\/(program-)?icons\.tsx$/ },
      handler(code) {
        set ??= JSON.parse(readFileSync(require.resolve('@iconify-json/tabler/icons.json'), 'utf8')).icons
        const drawings = set
        return code.replace(/\bicon\('([\w-]+)'\)/g, (_, name) => `icon(${outlines(drawings, name)})`)
      },
    },
    // A console without icons looks almost normal, so that a moved file would go unnoticed.
    writeBundle() {
      if (set === undefined) throw new Error('The file of the icons was not found')
    },
  }
}

/**
 * The arguments of `icon`: an outline each.
 *
 * @param {Record<string, { body: string }> | undefined} set
 * @param {string} name
 */
function outlines(set, name) {
  const body = set?.[name]?.body
  if (body === undefined) throw new Error(`Tabler has no icon "${name}"`)
  const paths = [...body.matchAll(/<path\b[^>]*?\bd="([^"]+)"/g)].map(([, outline]) => outline)
  const others = body.match(/<(?!\/|g\b|path\b)\w+/)
  if (paths.length === 0 || others !== null) throw new Error(`The icon "${name}" is drawn with more than outlines`)
  return paths.map((outline) => JSON.stringify(outline)).join(', ')
}
