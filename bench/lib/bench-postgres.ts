import { readFileSync } from 'node:fs'
import { SQL } from 'bun'
import { treeCpuSeconds } from '../../scripts/lib/processes.ts'
import { givenServices, startServices } from '../../scripts/lib/services.mjs'

/** A PostgreSQL for a benchmark: an empty database for each build, and the CPU time of the whole server. */
export const startBenchPostgres = async () => {
  const services = givenServices() ?? (await startServices())
  const url = services.env.TEST_POSTGRES_URL ?? ''
  const sql = new SQL(url, { max: 1 })
  const [{ pid }] = await sql.unsafe('SELECT pg_backend_pid() AS pid')
  const postmaster = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  let made = 0
  return {
    cpuSeconds: () => treeCpuSeconds(postmaster),
    async emptyDatabase() {
      const name = `bench_${process.pid}_${++made}`
      await sql.unsafe(`CREATE DATABASE ${name}`)
      const at = new URL(url)
      at.pathname = `/${name}`
      return at.href
    },
    async stop() {
      for (let number = 1; number <= made; number++) {
        await sql.unsafe(`DROP DATABASE bench_${process.pid}_${number} WITH (FORCE)`)
      }
      await sql.close()
      await services.stop()
    },
  }
}
