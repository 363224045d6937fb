import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** A process with a promise that fails and that nobody awaits. */
async function run({ survives }: { survives: boolean }) {
  const program = `
    import { createLog } from '${join(import.meta.dir, '../common/log.ts')}'
    import { surviveUnhandledRejections } from '${join(import.meta.dir, 'unhandled-rejections.ts')}'
    if (${survives}) surviveUnhandledRejections(createLog())
    void Promise.reject(new Error('forgotten'))
    setTimeout(() => console.log('still serving'), 1)
  `
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'ignore' })
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  return { output, code }
}

test('a forgotten promise that fails is logged and does not end the process', async () => {
  expect((await run({ survives: false })).code).not.toBe(0)
  const { output, code } = await run({ survives: true })
  expect(code).toBe(0)
  expect(output).toContain('forgotten')
  expect(output).toContain('still serving')
})
