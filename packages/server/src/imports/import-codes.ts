import { seconds } from '../common/clock.ts'
import type { Tx } from '../database/client.ts'
import { createCodeImport } from '../redemptions/imported-code.ts'
import { boundedQuota } from './bounded-quota.ts'
import { createFreeIds } from './free-ids.ts'
import type { ImportNeeds, ImportPart } from './import-needs.ts'
import { SourceCode } from './source-rows.ts'

const UNUSED = 1
const USED = 3

/** Codes that were not used; what the others brought is in the balances. */
export async function importCodes({ vault, clock }: ImportNeeds, tx: Tx, { source, ids, report }: ImportPart) {
  const rows = (await source.all('redemptions')).map((row) => SourceCode.parse(row))
  const codes = await createCodeImport(tx, vault)
  const freeId = createFreeIds(
    codes.ids,
    rows.map(({ id }) => id),
  )
  for (const row of rows) {
    if (row.deleted_at) continue
    if (row.status === USED) report.note('a code that was used: what it brought is in the balance')
    else if (codes.has(row.key)) report.kept('codes')
    else if (row.key === '' || row.quota <= 0) report.note('a code without a value', row.name)
    else {
      const expires = row.expired_time > 0
      if (expires) report.note('a code with an expiry date, which codes do not have here, is disabled', row.name)
      await codes.create(tx, freeId(row.id), {
        ...{ userId: ids.users.get(row.user_id) ?? 0, key: row.key, name: row.name },
        ...{ isEnabled: row.status === UNUSED && !expires, quota: boundedQuota(row.quota) },
        createdTime: row.created_time || seconds(clock),
      })
      report.created('codes')
    }
  }
}
