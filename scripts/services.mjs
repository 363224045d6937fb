// `npm run services`: the PostgreSQL and Redis of the tests, kept until Ctrl-C. In a shell with the two printed lines
// `npm test -- <filter>` uses them and starts at once.
import { interruption, script } from './lib/run.mjs'
import { startServices } from './lib/services.mjs'

await script(async () => {
  const services = await startServices()
  for (const [name, value] of Object.entries(services.env)) console.log(`export ${name}=${value}`)
  await interruption
  await services.stop()
})
