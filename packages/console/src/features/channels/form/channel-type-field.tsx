import { Select } from '@mantine/core'
import { CHANNEL_TYPES, type ChannelKind, type ChannelType, channelType } from '@tollgate/contract'
import { useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { useText } from '../../../text/text.ts'
import { ChannelTypeLabel, ChannelTypeSwatch } from '../../../ui/display/channel-type-label.tsx'
import { searchTypes } from './type-search.ts'

interface ChannelTypeFieldProps {
  value: number
  onChange: (type: number) => void
}

/** All types in a scrolling list. When it opens the field is emptied, so that typing searches. */
export function ChannelTypeField({ value, onChange }: ChannelTypeFieldProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const inLanguage = useContractText()
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const known = channelType(value)
  const chosen = known === undefined ? '' : inLanguage(known.label)

  const item = (type: ChannelType) => ({ value: String(type.value), label: inLanguage(type.label) })
  const items = (kind: ChannelKind) => CHANNEL_TYPES.filter((type) => type.kind === kind).map(item)

  return (
    <Select
      label={text.type}
      description={text.typeHelp}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { group: text.vendors, items: items('vendor') },
        { group: text.own, items: items('own') },
        { group: text.resellers, items: items('reseller') },
        { group: text.knowledge, items: items('knowledge') },
      ]}
      value={String(value)}
      placeholder={chosen}
      leftSection={<ChannelTypeSwatch type={value} />}
      onChange={(type) => type !== null && onChange(Number(type))}
      renderOption={({ option }) => <ChannelTypeLabel type={Number(option.value)} />}
      searchable
      searchValue={opened ? typed : chosen}
      onSearchChange={setTyped}
      onDropdownOpen={() => {
        setOpened(true)
        // The first key may arrive while the list is closed and the field has the chosen type's name.
        setTyped((was) => (was !== chosen && was.startsWith(chosen) ? was.slice(chosen.length) : ''))
      }}
      onDropdownClose={() => {
        setOpened(false)
        setTyped('')
      }}
      filter={({ options, search }) => (search.trim() === '' ? options : searchTypes(CHANNEL_TYPES, search).map(item))}
      selectFirstOptionOnChange
      allowDeselect={false}
      styles={{ options: { maxHeight: 'min(55vh, 480px)', overflowY: 'auto' } }}
      nothingFoundMessage={common.nothingFound}
    />
  )
}
