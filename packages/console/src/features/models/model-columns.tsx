import { Text } from '@mantine/core'
import type { ModelPrice } from '@tollgate/contract'
import type { useMoney } from '../../lib/format/money.tsx'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/models.ts'
import { AnchorLink } from '../../ui/layout/links.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import { AMOUNTS, rangeOf } from './price-text.ts'

interface Needs {
  text: Words<typeof zh>
  money: ReturnType<typeof useMoney>
  /** Administrators set prices. */
  isAdmin: boolean
}

export const modelColumns = ({ text, money, isAdmin }: Needs): Column<ModelPrice>[] => {
  const shown = ({ prices }: ModelPrice, amount: keyof typeof AMOUNTS) => {
    const range = rangeOf(prices, AMOUNTS[amount])
    if (range === undefined) return undefined
    const [low, high] = range.map((quota) => money.quota(quota, 'fine')) as [string, string]
    return low === high ? low : text.range(low, high)
  }
  const ofTokens = (amount: 'input' | 'cached' | 'output'): Column<ModelPrice> => ({
    key: amount,
    title: text[amount],
    align: 'right',
    present: (row) => shown(row, amount) !== undefined,
    render: (row) => <Priced text={shown(row, amount)} help={text.rangeHelp} />,
  })
  const others = (row: ModelPrice) => {
    const unit = row.prices.find((price) => price.unit !== 'tokens')?.unit
    const [each, request] = [shown(row, 'each'), shown(row, 'request')]
    const parts = [unit && each && text.each[unit](each), request && text.perCall(request)]
    return parts.filter(Boolean).join(' · ') || undefined
  }
  return [
    {
      key: 'model',
      title: text.model,
      card: 'heading',
      render: ({ model, alias_of, prices }) => (
        <>
          <AnchorLink to="/connect" search={{ model }} inherit>
            {model}
          </AnchorLink>
          {alias_of !== '' && <div>{text.aliasOf(alias_of)}</div>}
          {prices.some(({ source }) => source === 'default') && (
            <Text size="xs" c="dimmed">
              {text.unpriced}{' '}
              {isAdmin && (
                <AnchorLink to="/setting" search={{ tab: 'operation', model: alias_of || model }} hash="ratios" inherit>
                  {text.setPrice}
                </AnchorLink>
              )}
            </Text>
          )}
        </>
      ),
    },
    ofTokens('input'),
    ofTokens('cached'),
    ofTokens('output'),
    {
      key: 'other',
      title: text.other,
      present: (row) => others(row) !== undefined,
      render: (row) => <Priced text={others(row)} help={text.rangeHelp} />,
    },
  ]
}

/** A range has a tooltip that explains it. */
function Priced({ text, help }: { text: string | undefined; help: string }) {
  return <span title={text?.includes('–') ? help : undefined}>{text ?? '—'}</span>
}
