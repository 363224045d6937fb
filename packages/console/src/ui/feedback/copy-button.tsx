import { IconButton } from '../layout/icon-button.tsx'
import { IconCopy } from '../layout/icons.tsx'
import { copy } from './copy.ts'

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
