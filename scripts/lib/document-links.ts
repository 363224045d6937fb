import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

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

function documentsIn(root: string) {
  const packages = existsSync(join(root, 'packages')) ? readdirSync(join(root, 'packages')) : []
  const folders = ['.', 'docs', 'docs/decisions', ...packages.map((name) => join('packages', name))]
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.md'))
}
