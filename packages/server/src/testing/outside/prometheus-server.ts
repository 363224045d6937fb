import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const Answer = z.object({
  status: z.literal('success'),
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
})

/** A Prometheus of the test's own that scrapes one target twice a second. It ends with the test. */
export async function prometheusServer(target: { url: string; token: string }, port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-prometheus-'))
  const config = {
    global: { scrape_interval: '500ms' },
    scrape_configs: [
      {
        job_name: 'tollgate',
        authorization: { credentials: target.token },
        static_configs: [{ targets: [new URL(target.url).host] }],
      },
    ],
  }
  // JSON is valid YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const flags = { 'config.file': join(folder, 'prometheus.yml'), 'storage.tsdb.path': join(folder, 'data') }
  const process = Bun.spawn(
    [
      'prometheus',
      `--web.listen-address=127.0.0.1:${port}`,
      ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  )
  onTestFinished(async () => {
    process.kill('SIGKILL')
    await process.exited
    rmSync(folder, { recursive: true, force: true })
  })

  const query = async (text: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: text })}`)
    const { data } = Answer.parse(await response.json())
    return data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
  }
  return {
    /** Polls until the answer has a series, or the time is over. */
    async answerTo(text: string) {
      const deadline = Date.now() + 60_000
      for (;;) {
        const found = await query(text).catch(() => [])
        if (found.length > 0) return found
        if (Date.now() > deadline) throw new Error(`Prometheus knows nothing of ${text}`)
        await Bun.sleep(100)
      }
    },
  }
}
