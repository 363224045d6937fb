import { dirname } from 'node:path'
import { ensureServer } from '../../../../scripts/lib/server-build.mjs'
import type { TestApp } from './app.ts'

/** Built from the current sources, so that tests start what an operator starts. */
const MAIN = await ensureServer()

export interface ProcessLimits {
  /** A separate process group, as a service manager creates it. */
  ownGroup?: boolean
  /** How many files and sockets it may open. */
  files?: number
  /** The longest file that it may write. */
  fileBytes?: number
}

/** `tollgate …` as an operator runs it, with only these environment variables. */
export const startCommand = (
  words: string[],
  environment: Record<string, string> = {},
  { ownGroup = false, files, fileBytes }: ProcessLimits = {},
) =>
  Bun.spawn(
    [
      ...(files === undefined ? [] : ['prlimit', `--nofile=${files}:${files}`]),
      ...(fileBytes === undefined ? [] : ['prlimit', `--fsize=${fileBytes}`]),
      ...[process.execPath, MAIN, ...words],
    ],
    {
      detached: ownGroup,
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )

/** Runs a command to its end. */
export const runCommand = async (words: string[], environment: Record<string, string> = {}) => {
  const child = startCommand(words, environment)
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { output, errors, exitCode }
}

/** The settings with which a command finds an app's database. */
export const storeOf = ({ location, dataDir }: TestApp): Record<string, string> =>
  location.startsWith('postgres') ? { DATABASE_URL: location, DATA_DIR: dataDir } : { DATA_DIR: dirname(location) }
