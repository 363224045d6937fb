import { Select } from '@mantine/core'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { channelsText } from '../../text/channels.ts'
import { commonText } from '../../text/common.ts'
import { useContractText } from '../../text/contract-text.ts'
import { useText } from '../../text/text.ts'
import { ChannelTypeLabel, ChannelTypeSwatch } from '../../ui/channel-type-label.tsx'

/** Those who resell other vendors' models, knowledge bases, and what is nobody's in particular. */
const RESELLERS = [2, 4, 5, 6, 7, 9, 10, 12, 13, 20]
const KNOWLEDGE = [21, 22]
const OWN = [8, 43]

interface ChannelTypeFieldProps {
  value: number
  onChange: (type: number) => void
}

export function ChannelTypeField({ value, onChange }: ChannelTypeFieldProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const inLanguage = useContractText()
  const special = new Set([...RESELLERS, ...KNOWLEDGE, ...OWN])
  const items = (belongs: (value: number) => boolean) =>
    CHANNEL_TYPES.filter((type) => belongs(type.value)).map((type) => ({
      value: String(type.value),
      label: inLanguage(type.label),
    }))
  return (
    <Select
      label={text.type}
      description={text.typeHelp}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { group: text.vendors, items: items((type) => !special.has(type)) },
        { group: text.own, items: items((type) => OWN.includes(type)) },
        { group: text.resellers, items: items((type) => RESELLERS.includes(type)) },
        { group: text.knowledge, items: items((type) => KNOWLEDGE.includes(type)) },
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
