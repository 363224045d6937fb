import { IconCopy } from '@tabler/icons-react'
import { copy } from './copy.ts'
import { IconButton } from './icon-button.tsx'

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
