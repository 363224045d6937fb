import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { groupNames } from '../../api/group-names.ts'
import { modelsText } from '../../text/models.ts'
import { useText } from '../../text/text.ts'

interface GroupSelectProps {
  /** Empty for the reader's own groups. */
  group: string
  onChange: (group: string | undefined) => void
}

/** Whose prices an administrator sees. */
export function GroupSelect({ group, onChange }: GroupSelectProps) {
  const text = useText(modelsText)
  const { data = [] } = useQuery(groupNames)
  // A group of the URL may have been removed, and is shown before the names are here.
  const names = new Set([...data, ...(group === '' ? [] : [group])])
  return (
    <NativeSelect
      aria-label={text.group}
      value={group}
      data={[
        { value: '', label: text.ownGroup },
        ...[...names].map((name) => ({ value: name, label: text.pricesOf(name) })),
      ]}
      onChange={({ currentTarget: { value } }) => onChange(value || undefined)}
    />
  )
}
