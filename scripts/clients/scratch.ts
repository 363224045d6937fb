import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Outside the repository, and used again: the programs together have several hundred megabytes. */
export const SCRATCH = join(tmpdir(), 'tollgate-clients')

const MODULES = join(SCRATCH, 'node_modules')
/** The programs' newest versions ask for a Node that this machine need not have. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** Where the programs are, and the Node that they are run with. */
export const PATH = [join(MODULES, NODE, 'bin'), join(MODULES, '.bin'), process.env.PATH ?? ''].join(delimiter)

/** Each by itself, so that one that cannot be had does not keep the others away. The reasons of those that failed. */
export const install = async (packages: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  mkdirSync(SCRATCH, { recursive: true })
  const manifest = join(SCRATCH, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}')
  const reasons = new Map<string, string>()
  for (const name of [NODE, ...packages]) {
    const flags = ['--no-audit', '--no-fund', '--loglevel=error']
    const child = Bun.spawn(['npm', 'install', ...flags, `${name}@latest`], {
      ...{ cwd: SCRATCH, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    })
    const said = await new Response(child.stderr).text()
    if ((await child.exited) !== 0) reasons.set(name, said.trim().split('\n')[0] ?? 'npm failed')
  }
  return reasons
}

/** The version that is there, undefined without one. */
export const installedVersion = (name: string): string | undefined => {
  const manifest = join(MODULES, name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}
