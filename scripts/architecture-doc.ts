// `npm run docs:architecture`: draws the picture in docs/architecture.md from the list of modules that the import rules use.
//   --check   writes nothing, and exits 1 when the picture is not what it would draw
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAYERS } from './lib/server-modules.ts'

const FILE = join(import.meta.dir, '../docs/architecture.md')
const [BEGIN, END] = ['<!-- modules: made by `npm run docs:architecture` -->\n', '<!-- /modules -->']

/** A box per layer, a line per module. */
export function modulesPicture(layers = LAYERS): string {
  const nameWidth = Math.max(...layers.flatMap(({ modules }) => modules.map(({ name }) => name.length)))
  const lines = layers.map(({ modules }) => modules.map(({ name, answers }) => `${name.padEnd(nameWidth)}  ${answers}`))
  const width = Math.max(...lines.flat().map((line) => line.length), ...layers.map(({ layer }) => layer.length + 2))
  const boxes = layers.map(({ layer }, index) =>
    [
      `┌─ ${layer} ${'─'.repeat(width - layer.length - 1)}┐`,
      ...(lines[index] ?? []).map((line) => `│ ${line.padEnd(width)} │`),
      `└${'─'.repeat(width + 2)}┘`,
    ].join('\n'),
  )
  return `\`\`\`\n${boxes.join(`\n${' '.repeat(Math.floor(width / 2))}↓\n`)}\n\`\`\`\n`
}

/** The document with the picture redrawn between its marks. */
export function withPicture(text: string): string {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error('docs/architecture.md has lost the marks around its picture')
  return `${before}${BEGIN}${modulesPicture()}${END}${after}`
}

if (import.meta.main) {
  const written = readFileSync(FILE, 'utf8')
  const drawn = withPicture(written)
  if (!process.argv.includes('--check')) writeFileSync(FILE, drawn)
  else if (drawn !== written) {
    console.error('The picture in docs/architecture.md is stale: run `npm run docs:architecture`.')
    process.exitCode = 1
  }
}
