import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Writes the files into a new folder, passes it to `use`, and removes it. */
export function withTree<Answer>(files: Record<string, string>, use: (root: string) => Answer): Answer {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-tree-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    return use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
