import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Token, TokenStatus } from '@tollgate/contract'
import { useState } from 'react'
import { tokenStatusLabel } from '../../lib/format/labels.ts'
import { maskedKey } from '../../lib/session/full-key.ts'
import { commonText } from '../../text/common.ts'
import { connectText } from '../../text/connect.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { IconKey } from '../../ui/layout/icons.tsx'
import classes from './key-select.module.css'
import { keyChoices } from './queries.ts'

const PAUSE_MS = 300

interface KeySelectProps {
  token: Token
  onChoose: (id: number) => void
}

/** The newest keys, or those found by name; the chosen one is always included. */
export function KeySelect({ token, onChoose }: KeySelectProps) {
  const text = useText(connectText)
  const common = useText(commonText)
  const [typed, setTyped] = useState('')
  const word = typed.trim() === token.name.trim() ? '' : typed.trim()
  const [keyword] = useDebouncedValue(word, PAUSE_MS)
  const found = useQuery({ ...keyChoices(keyword), placeholderData: keepPreviousData })
  const others = (found.data?.rows ?? []).filter(({ id }) => id !== token.id)
  const choices = new Map([token, ...others].map((each) => [String(each.id), each]))
  return (
    <Select
      label={text.token}
      description={text.tokenHelp}
      inputWrapperOrder={['label', 'input', 'description']}
      leftSection={<IconKey size={16} />}
      data={[...choices].map(([value, { name }]) => ({ value, label: name }))}
      value={String(token.id)}
      onChange={(value) => value !== null && onChoose(Number(value))}
      allowDeselect={false}
      searchable
      onSearchChange={setTyped}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={common.nothingFound}
      renderOption={({ option }) => <KeyOption token={choices.get(option.value) ?? token} />}
    />
  )
}

function KeyOption({ token: { name, key, status } }: { token: Token }) {
  const labels = useText(labelsText)
  return (
    <span className={classes.option}>
      <span className={classes.name}>{name}</span>
      {status !== TokenStatus.enabled && <StatusBadge {...tokenStatusLabel(status, labels)} />}
      <code className={classes.key}>{maskedKey(key)}</code>
    </span>
  )
}
