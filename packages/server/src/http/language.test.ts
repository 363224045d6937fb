import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { setOptions } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'
import { languageOf } from './language.ts'

test('Chinese is the default, English is for those who prefer it', () => {
  const cases: [string | null, 'zh' | 'en'][] = [
    [null, 'zh'],
    ['', 'zh'],
    ['*', 'zh'],
    ['de, fr', 'zh'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['zh;q=0.2, en;q=0.7', 'en'],
    ['de, en;q=0.5', 'en'],
    ['en;q=nonsense, zh;q=0.1', 'zh'],
    ['english', 'zh'],
    [','.repeat(1000), 'zh'],
  ]
  for (const [header, language] of cases) expect(languageOf(header)).toBe(language)
})

test('messages without a requested language use that of the site', async () => {
  expect([null, '', '*', 'de, fr'].map((header) => languageOf(header, 'en'))).toEqual(['en', 'en', 'en', 'en'])
  expect(languageOf('zh-CN,zh;q=0.9', 'en')).toBe('zh')
  const app = await testApp()
  await setOptions(app, { DefaultLocale: 'en' })
  const silent = app.client({ 'accept-language': '*' })
  expect(await silent.get('/api/user/self')).toMatchObject(refused('session.missing', {}, 'en'))
  expect((await silent.get('/api/status')).data.default_locale).toBe('en')
  const chinese = app.client({ 'accept-language': 'zh-CN' })
  expect(await chinese.get('/api/user/self')).toMatchObject(refused('session.missing'))
})

test('every kind of refusal is in the caller’s language [R8.33 R7.01]', async () => {
  const app = await testApp()
  const english = app.client({ 'accept-language': 'en-US,en;q=0.9' })
  const chinese = app.client()
  expect(await chinese.get('/api/user/self')).toMatchObject(refused('session.missing'))
  expect(await english.get('/api/user/self')).toMatchObject(refused('session.missing', {}, 'en'))
  const unknown = { method: 'GET', path: '/api/nonsense' }
  expect(await english.get('/api/nonsense')).toMatchObject(refused('http.not_found', unknown, 'en'))
  const wrongType = { username: 1, password: 'x' }
  expect((await chinese.post('/api/user/login', wrongType)).message).toBe('用户名必须是文本')
  expect((await english.post('/api/user/login', wrongType)).message).toBe('Username must be text')
})
