import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Limits } from '@tollgate/contract'
import { type ReactNode, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { channelTags } from '../queries.ts'

interface TagFieldProps {
  value: string
  onChange: (tag: string) => void
  error?: ReactNode
  'data-path'?: string
}

/** A tag of other channels, or a new one. The known ones are fetched on focus. */
export function TagField(props: TagFieldProps) {
  const text = useText(channelsText)
  const [wanted, setWanted] = useState(false)
  const tags = useQuery({ ...channelTags, enabled: wanted })
  return (
    <Autocomplete
      label={text.tag}
      description={text.tagHelp}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxLength={Limits.channelTagMax}
      data={tags.data ?? []}
      onFocus={() => setWanted(true)}
      {...props}
    />
  )
}
