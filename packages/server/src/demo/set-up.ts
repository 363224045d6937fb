/** A user of the demo. */
export interface Person {
  name: string
  key: string
  models: readonly string[]
}

const MODELS = ['gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'deepseek-chat', 'gemini-2.5-flash']

const PEOPLE: readonly { name: string; models: readonly string[] }[] = [
  { name: 'alice', models: ['gpt-4o-mini', 'claude-sonnet-4-5'] },
  { name: 'bob', models: ['deepseek-chat'] },
  { name: 'carol', models: ['gemini-2.5-flash', 'gpt-4.1'] },
]

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ success: boolean; message: string; data: unknown }>

/** Channels, accounts, keys and codes, created through the API as an operator would. */
export const setUpDemo = async (url: string, password: string, upstream: string): Promise<Person[]> => {
  const root = await signIn(url, 'root', password)
  const models = MODELS.join(',')
  await root('POST', '/api/channel/', {
    type: 8,
    name: 'Demo provider',
    key: 'sk-demo-provider',
    base_url: upstream,
    models,
    priority: 10,
    weight: 3,
  })
  await root('POST', '/api/channel/', {
    type: 8,
    name: 'Demo provider, second line',
    key: 'sk-demo-second',
    base_url: upstream,
    models,
    priority: 10,
    weight: 1,
  })
  await root('PUT', '/api/option/', { key: 'QuotaForNewUser', value: '5000000' })
  await root('POST', '/api/redemption/', { name: 'welcome', quota: 500_000, count: 5 })
  const people: Person[] = [{ name: 'root', key: await firstKey(root), models: MODELS }]
  for (const { name, models: used } of PEOPLE) {
    const secret = `${name}-${password}`
    await root('POST', '/api/user/', { username: name, password: secret, display_name: name })
    people.push({ name, key: await firstKey(await signIn(url, name, secret)), models: used })
  }
  return people
}

async function signIn(url: string, username: string, password: string): Promise<Send> {
  const answer = await post(url, '/api/user/login', { username, password })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return async (method, path, body) => {
    const response = await post(url, path, body, { method, cookie })
    const envelope = await response.json()
    if (envelope.success !== true) throw new Error(`${method} ${path}: ${envelope.message}`)
    return envelope
  }
}

async function firstKey(send: Send) {
  const { data } = await send('GET', '/api/token/')
  const key = Array.isArray(data) ? data[0]?.key : undefined
  if (typeof key !== 'string') throw new Error('A new account has no key')
  return `sk-${key}`
}

function post(url: string, path: string, body: unknown, { method = 'POST', cookie = '' } = {}) {
  return fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
