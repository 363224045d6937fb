/** A folder of the server and what it is for. */
export interface ServerModule {
  name: string
  answers: string
}

/** From top to bottom: a module imports modules of the layers below its own, and of its own layer those to its right. */
export const LAYERS: readonly { layer: string; modules: readonly ServerModule[] }[] = [
  {
    layer: 'the process',
    modules: [
      { name: 'demo', answers: 'a gateway with sample data, without any key' },
      { name: 'commands', answers: 'the other commands of the executable' },
      { name: 'imports', answers: 'accounts, keys and channels of other gateways' },
      { name: 'process', answers: 'starting, draining and stopping' },
      { name: 'parts', answers: 'the wiring: every service with what it needs' },
    ],
  },
  {
    layer: 'requests and background work',
    modules: [
      { name: 'alerts', answers: 'rules, destinations and deliveries' },
      { name: 'warnings', answers: 'what a change would break' },
      { name: 'routes', answers: 'the order of channels, to view and change' },
      { name: 'analytics', answers: 'queries of usage figures' },
      { name: 'model-lists', answers: 'changes in the model lists of vendors' },
      { name: 'channels', answers: 'the vendors, their secrets, their tests' },
      { name: 'jobs', answers: 'background jobs, each on one node' },
      { name: 'http', answers: 'authentication, validation, answers' },
      { name: 'docs', answers: 'the description of the API' },
      { name: 'oauth', answers: 'signing in with another account' },
      { name: 'session', answers: 'signing up, in and out' },
      { name: 'notifications', answers: 'messages to users and administrators' },
      { name: 'mail', answers: 'outgoing mail and its limits' },
    ],
  },
  {
    layer: 'the calls',
    modules: [
      { name: 'batches', answers: 'files, batches, videos and other asynchronous work' },
      { name: 'relay', answers: 'the steps of a relayed call' },
      { name: 'integrations', answers: 'calls to other services' },
      { name: 'upstream', answers: 'requests to vendors, health of channels' },
    ],
  },
  {
    layer: 'the entities',
    modules: [
      { name: 'budgets', answers: 'how much may be spent in a day, a week, a month' },
      { name: 'users', answers: 'accounts and ranks' },
      { name: 'tokens', answers: 'API keys' },
      { name: 'redemptions', answers: 'redemption codes' },
      { name: 'catalog', answers: 'channels × groups × models × prices, in memory' },
      { name: 'status', answers: 'the public state of the site' },
      { name: 'options', answers: 'the settings' },
      { name: 'logs', answers: 'the log and its sums' },
      { name: 'recordings', answers: 'recorded bodies of calls' },
    ],
  },
  {
    layer: 'the base',
    modules: [
      { name: 'telemetry', answers: 'traces and metrics over OTLP' },
      { name: 'metrics', answers: 'metrics for Prometheus' },
      { name: 'ledger', answers: 'balances, holds and charges' },
      { name: 'idempotency', answers: 'creations carried out once per key' },
      { name: 'audit', answers: 'who changed what' },
      { name: 'limits', answers: 'rate limits' },
      { name: 'security', answers: 'passwords, randomness, secrets at rest' },
      { name: 'database', answers: 'two engines, one schema' },
      { name: 'common', answers: 'what every module may use' },
    ],
  },
]

const ORDER = LAYERS.flatMap(({ modules }) => modules.map(({ name }) => name))

/** Whether a module may import another one. Unlisted modules may import nothing and be imported by nobody. */
export const mayImportModule = (from: string, to: string) => {
  const [above, below] = [ORDER.indexOf(from), ORDER.indexOf(to)]
  return above !== -1 && below !== -1 && above < below
}
