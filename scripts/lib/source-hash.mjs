import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesUnder } from './files.mjs'
import { ROOT } from './run.mjs'

/**
 * A hash of the sources in these folders, without tests, and of every package's version, to tell whether a build is current. Contents, not
 * dates: a fresh checkout gives every file a new date.
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
