import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesUnder } from './files.mjs'

/** Broken links and images in documents other than the guide, which has its own check. */
export const brokenLinks = (root: string) =>
  documentsIn(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const named = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, source]) => link ?? source ?? '',
    )
    return named
      .map((target) => target.split('#')[0] ?? '')
      .filter((path) => path !== '' && !/^\w+:/.test(path) && !existsSync(join(root, dirname(file), path)))
      .map((path) => ({ file, what: `there is no ${path}` }))
  })

/** Source files that a document names in code, such as `relay/relay.ts`, and that were renamed or removed since. */
export const missingSources = (root: string) => {
  const sources = ['packages', 'scripts', 'bench', 'e2e'].flatMap((folder) => filesUnder(join(root, folder)))
  return documentsIn(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const named = new Set([...text.matchAll(/`([\w/-]+\.(?:ts|tsx|mjs))`/g)].map(([, path = '']) => path))
    return [...named]
      .filter((path) => !sources.some((source) => source.endsWith(`/${path}`)))
      .map((path) => ({ file, what: `there is no source file ${path}` }))
  })
}

function documentsIn(root: string) {
  const packages = existsSync(join(root, 'packages')) ? readdirSync(join(root, 'packages')) : []
  const folders = ['.', 'docs', 'docs/decisions', ...packages.map((name) => join('packages', name))]
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.md'))
}
