import { roleLabel } from '../../lib/format/labels.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'

/** A recorded value as people read it: quota as money, roles by name, all else as it was recorded. */
export function useValueInWords() {
  const money = useMoney()
  const labels = useText(labelsText)
  return (field: string, value: unknown) => {
    if (typeof value === 'string') return value
    if (typeof value === 'number' && QUOTAS.has(field)) return money.explained(value)
    if (typeof value === 'number' && field === 'role') return `${roleLabel(value, labels).text} (${value})`
    return JSON.stringify(value ?? '').replace(/^""$/, '')
  }
}

const QUOTAS: ReadonlySet<string> = new Set(['quota', 'remain_quota', 'raise_quota', 'used_quota'])
