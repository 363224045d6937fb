// `npm run check -- tidy`: the ways around a check, tests that do not run or that look for a part of a name, and tables that are
// read by any text. There are none in this project.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesUnder } from './lib/files.mjs'
import { inheritedMembers } from './lib/inherited-members.ts'
import { namesInPart } from './lib/names-in-part.ts'
import { lineOf, type SourceParts, sourceParts } from './lib/source-parts.ts'

export interface Finding {
  file: string
  line: number
  says: string
}

const RULES: { where: keyof SourceParts; pattern: RegExp; says: string }[] = [
  {
    where: 'comments',
    pattern: /biome-ignore(?!-end)[\w-]*(?![\w-])(?!\s+[^\s:]+:[^\S\n]*\S)/g,
    says: 'a lint suppression must give its reason after a colon',
  },
  { where: 'comments', pattern: /@ts-(?:ignore|expect-error|nocheck)/g, says: 'the type checker is not silenced here' },
  { where: 'code', pattern: /\bas\s+any\b/g, says: '"as any" switches the types off' },
  {
    where: 'code',
    pattern: /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|skipIf|todo|todoIf|if|failing|fixme)\b/g,
    says: 'a test runs or goes: no skipped, conditional or planned tests',
  },
  { where: 'code', pattern: /\b(?:xtest|xit|xdescribe)\s*\(/g, says: 'a test runs or goes: no skipped tests' },
  { where: 'code', pattern: /\.only\s*\(/g, says: '"only" keeps the other tests from running' },
  {
    where: 'code',
    pattern: /\bexpect\(toasts\(\w+\)\)\.to(?:Contain|Have)Text\b/g,
    says: 'a message may be gone before a slow machine looks: use toasted()',
  },
]

const PART = 'the whole name is looked for: use field() for a label, exact: true for a role, or a pattern'

const INHERITED = 'a text from elsewhere may be "constructor": use a Map, or ask Object.hasOwn first'

/** Names in the console and in tests are our own. */
const readsForeignNames = (file: string) =>
  /^packages\/(?:contract|providers|server)\/src\//.test(file) && !/\.test\.ts$|\/testing\//.test(file)

export function tidyFindings(root: string): Finding[] {
  return ['packages', 'scripts', 'e2e', 'bench']
    .flatMap((folder) => filesUnder(join(root, folder)))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .flatMap((file) => findingsIn(relative(root, file), readFileSync(file, 'utf8')))
}

function findingsIn(file: string, source: string): Finding[] {
  const parts = sourceParts(source)
  const found = RULES.flatMap(({ where, pattern, says }) =>
    [...parts[where].matchAll(pattern)].map(({ index }) => ({ index, says })),
  )
  if (file.startsWith(join('e2e', '/')))
    found.push(...namesInPart(source, parts).map((index) => ({ index, says: PART })))
  if (readsForeignNames(file)) found.push(...inheritedMembers(parts).map((index) => ({ index, says: INHERITED })))
  return found.map(({ index, says }) => ({ file, line: lineOf(source, index), says }))
}

if (import.meta.main) {
  const findings = tidyFindings(process.cwd())
  for (const { file, line, says } of findings) console.error(`${file}:${line}: ${says}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
