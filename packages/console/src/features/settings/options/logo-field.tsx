import { TextInput } from '@mantine/core'
import { Logo } from '../../../ui/layout/logo.tsx'
import type { FieldProps } from './field-props.ts'

export function LogoField({ value, onChange, ...rest }: FieldProps) {
  return (
    <TextInput
      {...rest}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="/logo.png"
      spellCheck={false}
      autoComplete="off"
      leftSection={<Logo src={value} size={20} />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
