import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pageSizes, sizeLine } from './check-size.mjs'

/**
 * The end of every build: a `.gz` beside each text file, which the server sends as it is, and the size check.
 * @returns {import('vite').Plugin}
 */
export const finishBuild = () => {
  let dist = ''
  return {
    name: 'finish-build',
    apply: 'build',
    configResolved: (config) => {
      dist = join(config.root, config.build.outDir)
    },
    closeBundle: () => {
      // A failed build has written nothing; its own error is the one to show.
      if (!existsSync(join(dist, '.vite/manifest.json'))) return
      for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|html)$/.test(file)) continue
        writeFileSync(join(dist, `${file}.gz`), gzipSync(readFileSync(join(dist, file)), { level: 9 }))
      }
      const tooBig = pageSizes(dist).filter(({ tooBig }) => tooBig)
      if (tooBig.length > 0) throw new Error(`Pages above their budget:\n${tooBig.map(sizeLine).join('\n')}`)
    },
  }
}
