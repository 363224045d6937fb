import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { filesUnder } from './files.mjs'
import { lineOf, sourceParts } from './source-parts.ts'

export interface SourceFile {
  /** From the project's root: `packages/server/src/app.ts`. */
  path: string
  source: string
  /** The source without comments and quoted text, see `sourceParts`. */
  code: string
  imports: Import[]
}

export interface Import {
  /** As it is written. */
  specifier: string
  line: number
  typeOnly: boolean
  /** `export … from`. */
  reexports: boolean
  /** The path of the imported file, if it is ours. */
  target: string | undefined
}

/** Every source file of the packages with its imports. */
export function readPackages(root: string): SourceFile[] {
  return filesUnder(join(root, 'packages'))
    .filter((file) => /\.(ts|tsx|mts)$/.test(file))
    .map((file) => readSource(root, relative(root, file)))
}

function readSource(root: string, path: string): SourceFile {
  const source = readFileSync(join(root, path), 'utf8')
  const { code } = sourceParts(source)
  return { path, source, code, imports: importsOf(root, { path, source, code }) }
}

const NAMES = String.raw`(?:\*(?:\s+as\s+[\w$]+)?|(?:[\w$]+\s*,\s*)?\{[^}]*\}|[\w$]+(?:\s*,\s*\*\s+as\s+[\w$]+)?)`
const STATEMENT = new RegExp(String.raw`\b(import|export)\s+(type\s+)?(?:${NAMES}\s*from\s*)?(['"])([^'"\n]+)\3`, 'g')
const CALL = /\b(?:import|require)\s*\(\s*(['"])([^'"\n]+)\1/g

function importsOf(root: string, { path, source, code }: Pick<SourceFile, 'path' | 'source' | 'code'>): Import[] {
  const inCode = (match: RegExpExecArray) => code[match.index] === source[match.index]
  const locate = (match: RegExpExecArray, specifier: string) => ({
    specifier,
    line: lineOf(source, match.index),
    target: targetOf(root, path, specifier),
  })
  const statements = [...source.matchAll(STATEMENT)].filter(inCode).map((match) => ({
    ...locate(match, match[4] ?? ''),
    typeOnly: match[2] !== undefined,
    reexports: match[1] === 'export',
  }))
  const calls = [...source.matchAll(CALL)].filter(inCode).map((match) => ({
    ...locate(match, match[2] ?? ''),
    typeOnly: false,
    reexports: false,
  }))
  return [...statements, ...calls]
}

function targetOf(root: string, from: string, specifier: string) {
  const ours = specifier.match(/^@tollgate\/([\w-]+)$/)?.[1]
  if (ours !== undefined) return `packages/${ours}/src/index.ts`
  if (!specifier.startsWith('.')) return undefined
  const path = normalize(join(dirname(from), specifier))
  const spellings = [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts'), join(path, 'index.tsx')]
  return spellings.find((spelling) => /\.\w+$/.test(spelling) && existsSync(join(root, spelling))) ?? path
}
