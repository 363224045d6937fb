// `npm run services`: the PostgreSQL of the tests, kept until Ctrl-C. In a shell with the printed line
// `npm test -- <filter>` uses it and starts at once.
import { interruption, script } from './lib/run.mjs'
import { startServices } from './lib/services.mjs'

await script(async () => {
  const services = await startServices()
  for (const [name, value] of Object.entries(services.env)) console.log(`export ${name}=${value}`)
  await interruption
  await services.stop()
})
