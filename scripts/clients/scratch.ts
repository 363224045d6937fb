import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Outside the repository, and reused: the programs together have several hundred megabytes. */
export const SCRATCH = join(tmpdir(), 'tollgate-clients')

const MODULES = join(SCRATCH, 'node_modules')
/** The newest versions may require another Node than this machine has. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** The path of the programs, and of the Node that runs them. */
export const PATH = [join(MODULES, NODE, 'bin'), join(MODULES, '.bin'), process.env.PATH ?? ''].join(delimiter)

/** Some programs leave a daemon behind. */
export const endDaemons = () => void Bun.spawnSync(['pkill', '-f', `^${MODULES}/`])

/** Each separately, so that one failure does not affect the others. Returns the errors by name. */
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

/** The installed version, undefined without one. */
export const installedVersion = (name: string): string | undefined => {
  const manifest = join(MODULES, name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}
