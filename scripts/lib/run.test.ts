import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** The output of a script with two parallel commands, of which the second waits for the screen. */
async function shownBy(first: string, second: string) {
  const script = `
    import { run } from ${JSON.stringify(join(import.meta.dir, 'run.mjs'))}
    const one = run('node', ['-e', ${JSON.stringify(first)}])
    const other = run('node', ['-e', ${JSON.stringify(second)}], { after: one })
    console.log(JSON.stringify(await Promise.all([one, other])))`
  const child = Bun.spawn(['node', '--input-type=module', '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  return (await new Response(child.stdout).text()).trim().split('\n')
}

test('output of a command while another has the screen is shown when that one has ended, errors included', async () => {
  const slow = "console.log('one begins'); setTimeout(() => console.log('one ends'), 300)"
  const quick = "console.log('other'); console.error('a complaint'); process.exitCode = 3"
  const lines = await shownBy(slow, quick)
  expect(lines.slice(0, 2)).toEqual(['one begins', 'one ends'])
  expect(lines.slice(2, 4).sort()).toEqual(['a complaint', 'other'])
  expect(lines[4]).toBe('[0,3]')
})

test('its later output is shown as it comes', async () => {
  const slow = "setTimeout(() => console.log('other ends'), 300); console.log('other begins')"
  expect(await shownBy('', slow)).toEqual(['other begins', 'other ends', '[0,0]'])
})
