import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeAdmin, setOptions, withGitHub } from '../testing/makers.ts'

test('a visitor gets the whole status before anything is configured, every text as a text [R1.04 R3.25 R7.04]', async () => {
  const app = await testApp()
  const began = Math.floor(app.clock.now() / 1000)
  const { status, success, message, data } = await app.client().get('/api/status')
  expect({ status, success, message }).toEqual({ status: 200, success: true, message: '' })
  expect(data).toEqual({
    version: expect.stringMatching(/\d/),
    start_time: expect.any(Number),
    system_name: 'Tollgate',
    logo: '',
    footer_html: '',
    theme: 'auto',
    default_locale: 'zh',
    quota_per_unit: 500_000,
    display_in_currency: true,
    chat_link: '',
    top_up_link: '',
    server_address: '',
    password_login: true,
    password_register: true,
    register: true,
    email_verification: false,
    github_oauth: false,
    github_client_id: '',
    lark_client_id: '',
    wechat_login: false,
    wechat_qrcode: '',
    turnstile_check: false,
    turnstile_site_key: '',
    recording: null,
    oidc: false,
    oidc_client_id: '',
    oidc_well_known: '',
    oidc_authorization_endpoint: '',
    oidc_token_endpoint: '',
    oidc_userinfo_endpoint: '',
    releases_repository: '',
  })
  expect(data.start_time).toBeWithin(began - 60, began + 1)
})

test('the status shows what is configured, and none of the secrets beside it [R1.04 R2.39 R3.25]', async () => {
  const app = await testApp()
  await withGitHub(app)
  await setOptions(app, {
    SystemName: '网关',
    Logo: '/mine.png',
    Footer: '<b>footer</b>',
    QuotaPerUnit: 7.5,
    DisplayInCurrencyEnabled: false,
    ChatLink: 'https://chat.example.com',
    TopUpLink: 'https://pay.example.com',
    ServerAddress: 'https://gw.example.com',
    PasswordRegisterEnabled: false,
    RegisterEnabled: false,
    EmailVerificationEnabled: true,
    GitHubClientId: 'github-id',
    GitHubClientSecret: 'canary',
    GitHubOAuthEnabled: true,
    LarkClientId: 'lark-id',
    LarkClientSecret: 'canary',
    WeChatServerAddress: 'https://wx.example.com',
    WeChatServerToken: 'canary',
    WeChatAuthEnabled: true,
    WeChatAccountQRCodeImageURL: 'https://wx.example.com/qr.png',
    TurnstileSiteKey: 'site-key',
    TurnstileSecretKey: 'canary',
    TurnstileCheckEnabled: true,
    SMTPServer: 'canary.example.com',
    PasswordLoginEnabled: false,
  })
  const { body, data } = await app.client().get('/api/status/')
  expect(data).toMatchObject({
    system_name: '网关',
    logo: '/mine.png',
    footer_html: '<b>footer</b>',
    quota_per_unit: 7.5,
    display_in_currency: false,
    chat_link: 'https://chat.example.com',
    top_up_link: 'https://pay.example.com',
    server_address: 'https://gw.example.com',
    password_login: false,
    password_register: false,
    register: false,
    email_verification: true,
    github_oauth: true,
    github_client_id: 'github-id',
    lark_client_id: 'lark-id',
    wechat_login: true,
    wechat_qrcode: 'https://wx.example.com/qr.png',
    turnstile_check: true,
    turnstile_site_key: 'site-key',
  })
  expect(JSON.stringify(body)).not.toContain('canary')
  expect(JSON.stringify(body)).not.toContain('wx.example.com"')
})

test('notice, about and home page content are texts for everybody, empty until written', async () => {
  const app = await testApp()
  const pages = [
    ['Notice', '/api/notice'],
    ['About', '/api/about'],
    ['HomePageContent', '/api/home_page_content'],
  ] as const
  for (const [key, path] of pages) {
    expect(await app.client().get(path)).toMatchObject({ status: 200, success: true, data: '' })
    await setOptions(app, { [key]: `# ${key}\n\n<script>x</script>` })
    expect((await app.client().get(path)).data).toBe(`# ${key}\n\n<script>x</script>`)
  }
})

test('the groups are the names that have a ratio, in their order [R7.24]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  expect(await client.get('/api/group/')).toMatchObject({
    status: 200,
    success: true,
    data: ['default', 'vip', 'svip'],
  })
  await setOptions(app, { GroupRatio: '{"premium": 0.5, "default": 1}' })
  expect((await client.get('/api/group')).data).toEqual(['premium', 'default'])
})
