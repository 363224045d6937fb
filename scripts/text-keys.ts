// `npm run check -- texts`: console texts that no screen shows. The compiler finds a key that does not exist; one that exists but is
// used in the wrong place leaves the right one unused.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { filesUnder } from './lib/files.mjs'
import { sourceParts } from './lib/source-parts.ts'

const SOURCES = 'packages/console/src'

/** The keys of each noun's texts that are never read, as `noun.key`. */
export function unusedTexts(root: string): string[] {
  const sources = filesUnder(join(root, SOURCES))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !/\/text\/(?:zh|en)\//.test(file))
    .map((file) => ({ shared: file.includes('/ui/'), ...read(file) }))
  // A key can also be a value: `text[problem]`, where a problem is 'badTime'.
  const quoted = sources.flatMap(({ source }) => [...source.matchAll(/'(\w+)'/g)].map(([, word = '']) => word))
  return readdirSync(join(root, SOURCES, 'text/zh')).flatMap((file) => {
    const noun = basename(file, '.ts')
    const imports = new RegExp(`/${noun}\\.ts'`)
    // Shared list components receive the texts of any noun.
    const readers = sources.filter(({ source, shared }) => shared || imports.test(source))
    const used = new Set([...readers.flatMap(({ code }) => wordsRead(code)), ...quoted])
    return keysOf(read(join(root, SOURCES, 'text/zh', file)).code)
      .filter((key) => !used.has(key))
      .map((key) => `${noun}.${key}`)
  })
}

function read(file: string) {
  const source = readFileSync(file, 'utf8')
  return { source, code: sourceParts(source).code }
}

/** Every member read from something named like texts, including destructuring. */
function wordsRead(code: string): string[] {
  const chains = [
    ...code.matchAll(/\b(?:text|words|common|labels|all|save|(?:useText|textNow)\(\w+\))((?:\??\.\w+)+)/g),
  ]
  const taken = [...code.matchAll(/\{([^{}]*)\}\s*=\s*(?:text\b|(?:useText|textNow)\()/g)]
  return [
    ...chains.flatMap(([, chain = '']) => chain.split(/\??\./)),
    ...taken.flatMap(([, names = '']) => names.split(/[\s,]+/)),
  ]
}

/** The top-level members of the exported object; groups below them are looked up by values. */
function keysOf(code: string): string[] {
  const inside = code.slice(code.indexOf('{') + 1)
  const depths = depthsOf(inside)
  return [...inside.matchAll(/(?<=^|,)\s*(\w+):/g)]
    .filter(({ index }) => depths[index] === 0)
    .map(([, key = '']) => key)
}

function depthsOf(code: string): number[] {
  let depth = 0
  return [...code].map((char) => {
    const before = depth
    depth += '({['.includes(char) ? 1 : ')}]'.includes(char) ? -1 : 0
    return before
  })
}

if (import.meta.main) {
  const unused = unusedTexts(process.cwd())
  for (const key of unused) console.error(`${key}: no screen shows it`)
  process.exitCode = unused.length === 0 ? 0 : 1
}
