import { onTestFinished } from 'bun:test'
import { RedisClient } from 'bun'
import { freePort } from './free-port.ts'

/** A Redis of the test's own, which can be stopped, restarted and made to hang. It ends with the test. */
export async function redisServer(more: string[] = [], sentinelFile?: string) {
  const port = await freePort()
  let process = await start(port, more, sentinelFile)
  const stop = async () => {
    process.kill('SIGKILL')
    await process.exited
  }
  onTestFinished(stop)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async startAgain() {
      process = await start(port, more, sentinelFile)
    },
    /** The keys that match a pattern. */
    async names(pattern: string): Promise<string[]> {
      const client = new RedisClient(`redis://127.0.0.1:${port}`)
      const names: string[] = await client.send('KEYS', [pattern])
      client.close()
      return names
    },
    /** All keys and values. */
    async contents() {
      const client = new RedisClient(`redis://127.0.0.1:${port}`)
      const names: string[] = await client.send('KEYS', ['*'])
      const values = await Promise.all(names.map((name) => client.get(name)))
      client.close()
      return names.map((name, index) => `${name} ${values[index]}`)
    },
    /** It keeps its connections, but answers nothing. */
    hang: () => process.kill('SIGSTOP'),
    /** Changes a setting while it runs. */
    async set(name: string, value: string, password = '') {
      const client = new RedisClient(`redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`)
      await client.send('CONFIG', ['SET', name, value])
      client.close()
    },
    /** Ends every connection except the one that asks for it. */
    async disconnectAll(password = '') {
      const client = new RedisClient(`redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`)
      await client.send('CLIENT', ['KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
      client.close()
    },
  }
}

async function start(port: number, more: string[], sentinelFile: string | undefined) {
  const plain = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more]
  const settings = sentinelFile === undefined ? plain : [sentinelFile, '--sentinel']
  const process = Bun.spawn(['redis-server', ...settings, '--port', String(port)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const decoder = new TextDecoder()
  let output = ''
  for await (const chunk of process.stdout) {
    output += decoder.decode(chunk, { stream: true })
    if (/Ready to accept connections|Sentinel ID is/.test(output)) return process
  }
  throw new Error(`redis-server did not start: ${output}`)
}
