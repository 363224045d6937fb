import { afterAll, expect, test } from 'bun:test'
import { fakeGitHub } from '../testing/outside/fake-github.ts'
import { recordingServer } from '../testing/outside/recording-server.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createHttp } from '../upstream/http.ts'
import { defaultAddresses } from './addresses.ts'
import { createGitHub } from './github.ts'

const remote = fakeGitHub()
const broken = recordingServer(() => new Response('<h1>Unicorn!</h1>', { status: 502 }))
afterAll(() => Promise.all([remote.stop(), broken.stop()]))

const githubAt = (github: string, githubApi = github) =>
  createGitHub({ http: createHttp(), addresses: { ...defaultAddresses, github, githubApi } })
const github = githubAt(remote.url)
const app = { clientId: remote.clientId, clientSecret: remote.clientSecret }
const octocat = { id: 583231, login: 'octocat', name: 'The Octocat' }

test('a person is identified by the numeric id, which a rename does not change', async () => {
  const code = remote.codeFor({ ...octocat, email: 'octocat@github.com' })
  expect(await github.identify({ ...app, code })).toEqual({
    id: '583231',
    login: 'octocat',
    name: 'The Octocat',
    email: 'octocat@github.com',
  })
})

test('without a public address, the primary verified one is used', async () => {
  const code = remote.codeFor({
    ...octocat,
    emails: [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'main@example.com', primary: true, verified: true },
    ],
  })
  expect(await github.identify({ ...app, code })).toMatchObject({ email: 'main@example.com' })
})

test('an unverified address is not used', async () => {
  const emails = [{ email: 'victim@example.com', primary: true, verified: false }]
  const code = remote.codeFor({ ...octocat, name: null, emails })
  expect(await github.identify({ ...app, code })).toMatchObject({ name: '', email: '' })
})

test('a person who does not share addresses can still sign in', async () => {
  const code = remote.codeFor({ ...octocat, emailScope: false })
  expect(await github.identify({ ...app, code })).toMatchObject({ id: '583231', email: '' })
})

test('a code works once', async () => {
  const code = remote.codeFor(octocat)
  await github.identify({ ...app, code })
  expect(await refusal(github.identify({ ...app, code }))).toEqual({
    code: 'oauth.refused',
    values: { service: 'GitHub' },
    cause: 'GitHub: bad_verification_code',
  })
})

test('a wrong secret is refused, and the error does not repeat it', async () => {
  const work = github.identify({ ...app, clientSecret: 'wrong-secret', code: remote.codeFor(octocat) })
  expect(await refusal(work)).toMatchObject({ code: 'oauth.refused', cause: 'GitHub: incorrect_client_credentials' })
})

test('the client secret goes to github.com only, the access token to the API only', async () => {
  const api = fakeGitHub()
  const split = githubAt(remote.url, api.url)
  const before = remote.received.length
  await refusal(split.identify({ ...app, code: remote.codeFor(octocat) })) // the other server does not know the token
  expect(remote.received.slice(before).map((request) => request.path)).toEqual(['/login/oauth/access_token'])
  expect(remote.received.at(-1)?.headers.get('authorization')).toBeNull()
  expect(api.received.map((request) => request.path)).toEqual(['/user'])
  expect(JSON.stringify(api.received)).not.toContain(remote.clientSecret)
  await api.stop()
})

test('an outage of GitHub is reported as an outage', async () => {
  const unreachable = { code: 'oauth.unreachable', values: { service: 'GitHub' } } as const
  for (const address of [broken.url, 'http://127.0.0.1:1', 'http://169.254.169.254'])
    expect(await refusal(githubAt(address).identify({ ...app, code: 'any' }))).toMatchObject(unreachable)
  const halfway = githubAt(remote.url, broken.url).identify({ ...app, code: remote.codeFor(octocat) })
  expect(await refusal(halfway)).toMatchObject(unreachable)
})
