import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupNames } from '../../api/group-names.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'

interface GroupFieldProps {
  value: string[]
  onChange: (groups: string[]) => void
  error?: ReactNode
  'data-path'?: string
}

/** The groups of a user in order, chosen or typed. */
export function GroupField({ value, onChange, ...rest }: GroupFieldProps) {
  const text = useText(usersText)
  const names = useQuery(groupNames)
  return (
    <TagsInput
      label={text.group}
      description={text.groupHelp}
      placeholder={value.length === 0 ? text.groupPlaceholder : ''}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={names.data ?? []}
      value={value}
      onChange={onChange}
      splitChars={[',', '，']}
      maxLength={32}
      clearable
      clearButtonProps={{ 'aria-label': text.groupClear }}
      {...rest}
    />
  )
}
