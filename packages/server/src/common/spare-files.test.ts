import { expect, test } from 'bun:test'

const MODULE = new URL('./spare-files.ts', import.meta.url).pathname
const THREE_TIMES = `import { canStartThread } from '${MODULE}'; console.log([1, 2, 3].map(canStartThread).join())`

test.each([
  { files: 48, isPossible: false },
  { files: 128, isPossible: true },
])('with $files file descriptors in all, a thread may be started: $isPossible', async ({ files, isPossible }) => {
  const child = Bun.spawn(['prlimit', `--nofile=${files}:${files}`, process.execPath, '-e', THREE_TIMES], {
    stdout: 'pipe',
  })
  // What was opened to find out is given back.
  expect(await new Response(child.stdout).text()).toBe(`${isPossible},${isPossible},${isPossible}\n`)
})
