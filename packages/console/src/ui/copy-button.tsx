import { copy } from './copy.ts'
import { IconButton } from './icon-button.tsx'
import { IconCopy } from './icons.tsx'

interface CopyButtonProps {
  value: string
  label: string
  done?: string
  manual?: (value: string) => void
}

export function CopyButton({ value, label, ...options }: CopyButtonProps) {
  return (
    <IconButton label={label} onClick={() => void copy(value, options)}>
      <IconCopy size={16} />
    </IconButton>
  )
}
