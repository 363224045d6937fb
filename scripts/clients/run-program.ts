import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILES } from './model.ts'
import type { Program, Setting } from './programs.ts'
import { PATH } from './scratch.ts'

export interface Ended {
  output: string
  /** Null when it had to be killed. */
  code: number | null
  endedAtMs: number
}

const LIMIT_MS = 90_000

/** A new folder with the session's files, and a new home. */
export const makeFolders = () => {
  const place = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  const [folder, home] = [join(place, 'project'), join(place, 'home')]
  for (const path of [folder, home]) mkdirSync(path)
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content)
  return { folder, home, remove: () => rmSync(place, { recursive: true, force: true }) }
}

/** One run to its end. The environment is cleared: keys and settings of whoever runs this are not part of the test. */
export const runProgram = async (program: Program, setting: Setting, interruptAt?: Promise<void>): Promise<Ended> => {
  const { args, env } = program.command(setting)
  const { folder, home } = setting
  const child = Bun.spawn(['nice', '-n', '15', ...args], {
    ...{ cwd: folder, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', detached: true },
    env: { PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', NO_COLOR: '1', CI: '1', ...env },
  })
  let cut = false
  const limit = setTimeout(() => {
    cut = true
    signalGroup(child.pid, 'SIGKILL')
  }, LIMIT_MS)
  void interruptAt?.then(() => signalGroup(child.pid, 'SIGINT'))
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  clearTimeout(limit)
  return { output: `${out}\n${error}`, code: cut ? null : (child.exitCode ?? 130), endedAtMs: Date.now() }
}

/** Like Ctrl-C in a terminal, for the whole group: some programs restart themselves. */
function signalGroup(pid: number, signal: 'SIGINT' | 'SIGKILL') {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
