import { failureOf, VendorError } from '../failure.ts'
import { fieldsOf, listOf } from '../json.ts'
import type { Provider } from '../provider.ts'
import type { Access, UpstreamRequest } from '../upstream-request.ts'

type Balance = NonNullable<Provider['balance']>

/* How vendors report an account's balance, each in the unit of its channel type. */

/**
 * OpenAI's own: the limit minus usage, in dollars. Usage counts from the start of the month for accounts with a card, and
 * over the last hundred days for others; only the first answer shows which.
 */
export const openAiBalance: Balance = {
  requests(access, nowSec) {
    const today = dayOf(nowSec)
    const usage = (start: string) => `/v1/dashboard/billing/usage?start_date=${start}&end_date=${today}`
    return [
      bearer(access, '/v1/dashboard/billing/subscription'),
      bearer(access, usage(`${today.slice(0, 8)}01`)),
      bearer(access, usage(dayOf(nowSec - 100 * 86_400))),
    ]
  },
  read([subscription, month, hundredDays]) {
    const { has_payment_method, hard_limit_usd } = fieldsOf(subscription)
    const used = fieldsOf(has_payment_method === true ? month : hundredDays).total_usage
    return amount(hard_limit_usd) - amount(used) / 100
  },
}

/** OpenAI's former API for credit grants, kept by its resellers. */
export const creditGrants = (member: 'total_available' | 'total_remaining'): Balance => ({
  requests: (access) => [bearer(access, '/dashboard/billing/credit_grants')],
  read: ([grants]) => amount(fieldsOf(grants)[member]),
})

export const openaiSbBalance: Balance = {
  requests: ({ baseUrl, key }) => [
    {
      method: 'GET',
      url: `${baseUrl}/sb-api/user/status?api_key=${encodeURIComponent(key.toWellFormed())}`,
      headers: {},
    },
  ],
  read: ([status]) => amount(fieldsOf(fieldsOf(status).data).credit),
}

/** The account API is at another host than the models, unless the channel has a base URL of its own. */
export const aiproxyBalance: Balance = {
  requests: ({ baseUrl, key }) => {
    const host = baseUrl === 'https://api.aiproxy.io' ? 'https://aiproxy.io' : baseUrl
    return [{ method: 'GET', url: `${host}/api/report/getUserOverview`, headers: { 'api-key': key } }]
  },
  read: ([overview]) => amount(fieldsOf(fieldsOf(overview).data).totalPoints),
}

export const openrouterBalance: Balance = {
  requests: (access) => [bearer(access, '/v1/credits')],
  read([credits]) {
    const { total_credits, total_usage } = fieldsOf(fieldsOf(credits).data)
    return amount(total_credits) - amount(total_usage)
  },
}

/** Accounts hold yuan or dollars; the channel's unit is the yuan, and a guessed exchange rate would be wrong. */
export const deepseekBalance: Balance = {
  requests: (access) => [bearer(access, '/user/balance')],
  read([balance]) {
    const entries = listOf(fieldsOf(balance).balance_infos).map(fieldsOf)
    const yuan = entries.find(({ currency }) => currency === 'CNY')
    const [other] = entries
    if (yuan === undefined && other !== undefined) throw noYuan(`${other.total_balance} ${other.currency}`)
    return amount(yuan?.total_balance)
  },
}

/** Yuan in China, dollars elsewhere; only the host shows which. */
export const siliconflowBalance: Balance = {
  requests: (access) => [bearer(access, '/v1/user/info')],
  read([info], { baseUrl }) {
    const held = amount(fieldsOf(fieldsOf(info).data).totalBalance)
    if (URL.parse(baseUrl)?.hostname.endsWith('siliconflow.com')) throw noYuan(`${held} USD`)
    return held
  },
}

export const vercelBalance: Balance = {
  requests: (access) => [bearer(access, '/v1/credits')],
  read: ([credits]) => amount(fieldsOf(credits).balance),
}

/** A channel's base URL may end in the version of the model paths; account paths contain their own. */
const bearer = ({ baseUrl, key }: Access, path: string): UpstreamRequest => ({
  method: 'GET',
  url: baseUrl.replace(/\/v\d+$/, '') + path,
  headers: { authorization: `Bearer ${key}` },
})

const noYuan = (held: string) =>
  new VendorError(failureOf('server', `The account holds ${held} and no CNY`, { code: 'other_currency' }))

const dayOf = (sec: number) => new Date(sec * 1000).toISOString().slice(0, 10)

/** A number, possibly as text. */
function amount(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new VendorError(failureOf('server', 'The upstream stated no balance', { code: 'malformed_answer' }))
}
