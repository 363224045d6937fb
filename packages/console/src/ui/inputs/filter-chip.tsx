import { Button } from '@mantine/core'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { IconX } from '../layout/icons.tsx'

/** A filter that is set, and a click away from being removed. */
export function FilterChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const labels = useText(labelsText)
  return (
    <Button
      size="compact-sm"
      variant="light"
      rightSection={<IconX size={12} />}
      aria-label={labels.removeFilter(label)}
      onClick={onRemove}
    >
      {label}
    </Button>
  )
}
