import { expect, setDefaultTimeout, test } from 'bun:test'
import { parseDetail } from '../../logs/call-detail.ts'
import type { Bill } from '../../testing/bills/bill.ts'
import { TERMS } from '../../testing/bills/terms.ts'
import { makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { readded, relayFixture } from '../../testing/relay-fixture.ts'

/*
 * The billing suite, `npm run bills`: the logged charge of a call, compared with the vendor's reported usage times its list price. A
 * dollar is 500,000 quota.
 */

// Hundreds of calls, possibly on a busy machine.
setDefaultTimeout(240_000)

const QUOTA_PER_DOLLAR = 500_000
/** An amount of dollars in quota, rounded up like charges, but ignoring floating-point noise. */
const quotaOf = (dollars: number) => Math.ceil(Number((dollars * QUOTA_PER_DOLLAR).toPrecision(12)))

const nameOf = ({ operation, vendor, model, edge }: Bill) => `${operation} · type ${vendor} · ${model} · ${edge}`

test.each(TERMS)('every bill is right: $name', async ({ options, bills }) => {
  const { app, root, post } = await relayFixture({ quota: 1_000_000_000_000, options })
  let current: Bill | undefined
  const vendor = fakeVendor(() => current?.reply() ?? new Response('', { status: 500 }))
  for (const type of new Set(bills.map((bill) => bill.vendor))) {
    const models = new Set(bills.filter((bill) => bill.vendor === type).map(({ model }) => model))
    await makeChannel(root, { type, base_url: vendor.url, models: [...models].join(',') })
  }
  const wrong: string[] = []
  for (const bill of bills) {
    current = bill
    const answer = await post(bill.path, bill.body)
    const said = await answer.text()
    // Asynchronous work is logged under its own name.
    const requestId = bill.operation === 'videos' ? JSON.parse(said).id : (answer.headers.get('x-request-id') ?? '')
    const log = await app.db
      .selectFrom('logs')
      .select(['quota', 'detail'])
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    const expected = quotaOf(bill.dollars)
    if (process.env.BILLS === 'print')
      process.stdout.write(`${nameOf(bill)} | ${expected} | ${log?.quota} | ${bill.price}\n`)
    if (answer.status !== 200) wrong.push(`${nameOf(bill)}: ${answer.status} ${said.slice(0, 200)}`)
    else if (log?.quota !== expected) wrong.push(`${nameOf(bill)}: ${expected} became ${log?.quota} ${log?.detail}`)
    // The log entry explains the charge to the last unit.
    else if (
      Math.abs(Math.ceil(Number(readded(parseDetail(log.detail)).toPrecision(12))) - log.quota) > 0 &&
      log.quota > 1
    )
      wrong.push(`${nameOf(bill)}: the entry does not add up to ${log.quota}`)
  }
  expect(wrong).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('there are several hundred of them, each with the source and date of its price', () => {
  const bills = TERMS.flatMap((terms) => terms.bills)
  expect(bills.length).toBeGreaterThan(400)
  expect(bills.filter(({ price }) => !/^https:.+ \(\d{4}-\d\d\)$|^a name that ends in :free$/.test(price))).toEqual([])
})
