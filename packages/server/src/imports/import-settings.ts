import { isOptionKey, OPTIONS } from '@tollgate/contract'
import { OPERATOR } from '../audit/audit-service.ts'
import { GatewayError } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { ImportReport } from './import-report.ts'
import type { SourceDatabase } from './source-database.ts'
import { SourceOption } from './source-rows.ts'

/** Settings that say where something is, or that a rehearsal cannot judge, come after those that they need. */
export async function importSettings(
  options: OptionsService,
  source: SourceDatabase,
  report: ImportReport,
  isReal: boolean,
) {
  await options.refresh(0)
  const rows = (await source.all('options')).map((row) => SourceOption.parse(row))
  const last = ({ key }: { key: string }) =>
    Number(isOptionKey(key) && OPTIONS[key].class === 'secret') + Number(/Enabled$/.test(key)) * 2
  for (const { key, value } of rows.sort((one, other) => last(one) - last(other))) {
    if (!isOptionKey(key)) {
      if (!['', '{}', '[]', 'false', '0', 'null'].includes(value.trim()))
        report.note('a setting that does not exist here', key)
      continue
    }
    if (options.textOf(key) === value) continue
    const isValid = OPTIONS[key].schema.safeParse(value).success
    if (!isReal) {
      if (isValid) report.created('settings')
      else report.note('a setting whose value is not possible here', key)
      continue
    }
    try {
      await options.update(OPERATOR, { key, value }, 'en')
      report.created('settings')
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      report.note(`a setting whose value is not possible here`, `${key} (${error.in('en')})`)
    }
  }
}
