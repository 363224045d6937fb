import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const NOT_OURS = new Set(['node_modules', 'dist', '.git'])

/**
 * Every file below a folder, in a stable order, without installed or built ones. Empty when the folder does not exist.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : [path]
    })
}
