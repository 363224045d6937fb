import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../packages/server/src/common/config.ts'
import { ROOT } from './lib/run.mjs'

/* What can be checked of the deployment files without a container engine: they parse, and they refer to things that exist. */

interface Service {
  environment?: Record<string, string>
  read_only?: boolean
  volumes?: string[]
  depends_on?: Record<string, unknown>
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const compose = (path: string) => Bun.YAML.parse(read(path)) as { services: Record<string, Service>; volumes: object }
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
const npmScriptsIn = (text: string) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '')
/** An unknown setting stops the start; a value that cannot be checked without its server is passed as it is. */
const isSetting = (name: string) => {
  try {
    readConfig({}, { [name.toLowerCase().replaceAll('_', '-')]: '' })
    return true
  } catch (error) {
    return !String(error).includes('There is no option')
  }
}

test('every variable of the compose files is a setting of the server', () => {
  for (const path of ['compose.yaml', 'compose.cluster.yaml']) {
    const { services } = compose(path)
    const own = Object.entries(services).filter(([name]) => name === 'tollgate' || name.startsWith('node-'))
    expect(own.length).toBeGreaterThan(0)
    for (const [, service] of own) {
      for (const name of Object.keys(service.environment ?? {})) expect([name, isSetting(name)]).toEqual([name, true])
      expect(service.read_only).toBe(true)
    }
  }
  expect(isSetting('NO_SUCH_SETTING')).toBe(false)
})

test('the cluster has two nodes with one master key, and the proxy in front knows both', () => {
  const { services, volumes } = compose('compose.cluster.yaml')
  const nodes = Object.keys(services).filter((name) => name.startsWith('node-'))
  expect(nodes).toHaveLength(2)
  for (const name of nodes) {
    expect(services[name]?.environment?.MASTER_KEY).toStartWith('$' + '{MASTER_KEY:?')
    expect(Object.keys(services[name]?.depends_on ?? {}).every((other) => other in services)).toBe(true)
    expect(read('deploy/nginx.conf')).toContain(`server ${name}:3000`)
  }
  expect(Object.keys(volumes)).toEqual([...nodes, 'postgres'])
  for (const mount of services.proxy?.volumes ?? [])
    expect(existsSync(join(ROOT, mount.split(':')[0] ?? ''))).toBe(true)
})

test('the image is built from files and scripts that exist, and runs without root', () => {
  const dockerfile = read('Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(' ') ?? [])
  for (const name of copied) expect([name, existsSync(join(ROOT, name))]).toEqual([name, true])
  for (const name of npmScriptsIn(dockerfile)) expect([name, name in scripts]).toEqual([name, true])
  expect(dockerfile).toMatch(/^USER (?!0|root)\d+:\d+$/m)
  const ignored = read('.dockerignore').split('\n')
  for (const name of copied) expect(ignored).not.toContain(name)
  // Everything embedded in the executable must exist when it is built.
  expect(ignored).toContain('!docs/guide')
  expect(ignored).toContain('!docs/pictures')
})

test('the systemd unit starts the executable with an existing command', () => {
  const unit = read('deploy/tollgate.service')
  expect(unit).toContain('ExecStart=/usr/local/bin/tollgate start')
  for (const [, name] of unit.matchAll(/^Environment=(\w+)=/gm)) expect(isSetting(name ?? '')).toBe(true)
  for (const line of unit.split('\n')) expect(line).toMatch(/^$|^#|^\[\w+\]$|^[A-Z]\w+=/)
})

test('the workflows run scripts that exist', () => {
  for (const path of ['.github/workflows/test.yml', '.github/workflows/release.yml']) {
    expect(Object.keys(Bun.YAML.parse(read(path)) as object)).toContain('jobs')
    for (const name of npmScriptsIn(read(path))) expect([name, name in scripts]).toEqual([name, true])
  }
})

test('every package and the newest entry of the changes have the version that a release is tagged with', () => {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/package.json`)
  const { version } = JSON.parse(read('package.json'))
  for (const path of packages) expect([path, JSON.parse(read(path)).version]).toEqual([path, version])
  expect(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
})
