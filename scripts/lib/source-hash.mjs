import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesUnder } from './files.mjs'
import { ROOT } from './run.mjs'

/**
 * Tells whether a build is still that of its sources: of everything in these folders but the tests, and of every
 * package's version. Contents, not dates: a fresh checkout gives every file a new date.
 *
 * @param {string[]} folders in the project's root
 */
export function hashOfSources(folders) {
  const manifests = ['package.json', 'package-lock.json'].map((file) => join(ROOT, file))
  const sources = folders.flatMap((folder) => filesUnder(join(ROOT, folder)))
  const hash = createHash('sha256')
  for (const file of [...manifests, ...sources.filter((source) => !source.includes('.test.'))]) {
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
