import type { SourceParts } from './source-parts.ts'

const TABLES = /^(?:export )?const (\w+): (?:Readonly<)?Record<string,/gm

/**
 * Where a table is read by any text, which may be `constructor` or `__proto__`: what every object inherits is found there too. A Map
 * has no such members, and `Object.hasOwn` does not see them.
 */
export const inheritedMembers = ({ code }: SourceParts): number[] => [
  ...[...code.matchAll(TABLES)]
    .map(([, table = '']) => table)
    .filter((table) => !code.includes(`Object.hasOwn(${table},`))
    .flatMap((table) => indexesOf(code, new RegExp(`\\b${table}\\[`, 'g'))),
  ...indexesOf(code, /\bin [A-Z][A-Z_]+\b/g),
]

const indexesOf = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].map(({ index }) => index)
