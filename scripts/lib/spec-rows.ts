export interface Row {
  id: string
  /** Who is responsible: `console`, `server` or `both`. */
  where: string
  says: string
}

/** The rows of the specification's tables: `| R7.12 | both | … |`. */
export function specRows(markdown: string): Row[] {
  return [...markdown.matchAll(/^\| (R\d+\.\d+) \| (\w+) \| (.*) \|$/gm)].map(([, id = '', where = '', says = '']) => ({
    id,
    where,
    says,
  }))
}

/**
 * The ids at the end of titles. Any quoted text that ends in such brackets counts, because a title may come from a table of cases. A
 * misspelt id is returned as it is, so that it is reported as unknown.
 */
export function rowsNamed(source: string): string[] {
  const groups = source.matchAll(/\[(R\d[^\]\n]*)\](?=['"`])/g)
  return [...groups].flatMap(([, ids = '']) => ids.split(/[\s,]+/).filter((id) => id !== ''))
}

/** Row id → why no test can name it yet. One row per line, `#` starts a comment. */
export function excuses(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => line.trim())
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [id = '', ...reason] = line.split(/\s+/)
        return [id, reason.join(' ')]
      }),
  )
}
