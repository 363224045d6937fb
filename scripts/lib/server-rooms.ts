/** One room of the server and what it answers. */
export interface Room {
  name: string
  answers: string
}

/** From top to bottom: a room imports rooms of the layers below its own, and of its own layer those to its right. */
export const LAYERS: readonly { layer: string; rooms: readonly Room[] }[] = [
  {
    layer: 'the process',
    rooms: [
      { name: 'demo', answers: 'what a visitor sees without any key' },
      { name: 'commands', answers: 'what else the executable does' },
      { name: 'process', answers: 'how it starts, drains and stops' },
    ],
  },
  {
    layer: 'who asks, and what happens with nobody asking',
    rooms: [
      { name: 'alerts', answers: 'who is told of what, when, and did it arrive' },
      { name: 'routes', answers: 'in which order channels are tried, to look at' },
      { name: 'analytics', answers: 'what the figures say to a question' },
      { name: 'model-lists', answers: 'which models came and went at a vendor' },
      { name: 'channels', answers: 'the vendors, their secrets, their tests' },
      { name: 'jobs', answers: 'what is done regularly, by one node' },
      { name: 'http', answers: 'who speaks, is it well-formed, how do we answer' },
      { name: 'docs', answers: 'the description of the API' },
      { name: 'oauth', answers: 'signing in with another account' },
      { name: 'session', answers: 'signing up, in and out' },
      { name: 'notifications', answers: 'who is told of what' },
      { name: 'mail', answers: 'what is sent, and how much' },
    ],
  },
  {
    layer: 'the calls',
    rooms: [
      { name: 'batches', answers: 'what vendors do later, and when it is paid' },
      { name: 'relay', answers: 'in what order a call goes' },
      { name: 'integrations', answers: 'how other services are called' },
      { name: 'upstream', answers: 'can a vendor be reached, what came back' },
    ],
  },
  {
    layer: 'the nouns',
    rooms: [
      { name: 'budgets', answers: 'how much may be spent in a day, a week, a month' },
      { name: 'users', answers: 'accounts and ranks' },
      { name: 'tokens', answers: 'API keys' },
      { name: 'redemptions', answers: 'redemption codes' },
      { name: 'catalog', answers: 'channels × groups × models × prices, in memory' },
      { name: 'status', answers: 'what everybody may know of the site' },
      { name: 'options', answers: 'the settings' },
      { name: 'logs', answers: 'what happened, and what it added up to' },
      { name: 'recordings', answers: 'bodies that somebody agreed to keep' },
    ],
  },
  {
    layer: 'the ground',
    rooms: [
      { name: 'telemetry', answers: 'what collectors are told of calls' },
      { name: 'metrics', answers: 'what scrapers are told' },
      { name: 'ledger', answers: 'whose quota, exactly, and why' },
      { name: 'idempotency', answers: 'was this creation carried out before' },
      { name: 'audit', answers: 'who changed what' },
      { name: 'limits', answers: 'how often' },
      { name: 'security', answers: 'passwords, randomness, secrets at rest' },
      { name: 'database', answers: 'two engines, one schema' },
      { name: 'common', answers: 'what every room may use' },
    ],
  },
]

const ORDER = LAYERS.flatMap(({ rooms }) => rooms.map(({ name }) => name))

/** Whether a room may import another one. Unlisted rooms may import nothing and be imported by nobody. */
export const mayImportRoom = (from: string, to: string) => {
  const [above, below] = [ORDER.indexOf(from), ORDER.indexOf(to)]
  return above !== -1 && below !== -1 && above < below
}
