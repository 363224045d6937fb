import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { groupNames } from '../../../api/group-names.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'

interface GroupsFieldProps {
  value: string[]
  onChange: (groups: string[]) => void
  error?: ReactNode
  'data-path'?: string
}

/** Known groups to pick from, and new ones to type. The known ones are fetched on focus. */
export function GroupsField({ value, onChange, ...rest }: GroupsFieldProps) {
  const text = useText(channelsText)
  const [wanted, setWanted] = useState(false)
  const groups = useQuery({ ...groupNames, enabled: wanted })
  return (
    <TagsInput
      label={text.groups}
      description={text.groupsHelp}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      data={groups.data ?? []}
      value={value}
      onChange={onChange}
      onFocus={() => setWanted(true)}
      splitChars={[',', '，']}
      {...rest}
    />
  )
}
