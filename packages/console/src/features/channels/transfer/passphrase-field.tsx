import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'

interface PassphraseFieldProps extends Pick<PasswordInputProps, 'label' | 'description' | 'autoComplete'> {
  value: string
  onChange: (passphrase: string) => void
}

/** The passphrase of an exported file with keys. */
export function PassphraseField({ onChange, ...field }: PassphraseFieldProps) {
  const common = useText(commonText)
  return (
    <PasswordInput
      required
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visibilityToggleButtonProps={{ 'aria-label': common.show }}
      {...field}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
