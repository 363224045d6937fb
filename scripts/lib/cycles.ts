import type { SourceFile } from './source-tree.ts'

/**
 * The cycles in the import graph, each as a list of files in the order of import. Of overlapping cycles one is shown: fixing it shows the
 * next. Type imports count too: a reader of one file of such a cycle has to know all of them.
 */
export function cyclesIn(files: SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file)]))
  const done = new Set<string>()
  const cycles: string[][] = []

  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      cycles.push(trail.slice(start))
      return
    }
    if (done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }

  for (const path of targets.keys()) visit(path, [])
  return cycles
}

const targetsOf = (file: SourceFile) => new Set(file.imports.flatMap(({ target }) => target ?? []))
