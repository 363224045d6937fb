import { Select } from '@mantine/core'
import { CHANNEL_TYPES, type ChannelKind } from '@tollgate/contract'
import { channelsText } from '../../text/channels.ts'
import { commonText } from '../../text/common.ts'
import { useContractText } from '../../text/contract-text.ts'
import { useText } from '../../text/text.ts'
import { ChannelTypeLabel, ChannelTypeSwatch } from '../../ui/channel-type-label.tsx'

interface ChannelTypeFieldProps {
  value: number
  onChange: (type: number) => void
}

export function ChannelTypeField({ value, onChange }: ChannelTypeFieldProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const inLanguage = useContractText()
  const items = (kind: ChannelKind) =>
    CHANNEL_TYPES.filter((type) => type.kind === kind).map((type) => ({
      value: String(type.value),
      label: inLanguage(type.label),
    }))
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
      leftSection={<ChannelTypeSwatch type={value} />}
      onChange={(type) => type !== null && onChange(Number(type))}
      renderOption={({ option }) => <ChannelTypeLabel type={Number(option.value)} />}
      searchable
      allowDeselect={false}
      maxDropdownHeight={320}
      nothingFoundMessage={common.nothingFound}
    />
  )
}
