import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'

interface SecretInputProps extends Omit<PasswordInputProps, 'placeholder'> {
  /** Whether the server has a value. It is never sent here; an empty field keeps it. */
  isSet: boolean
}

export function SecretInput({ isSet, ...props }: SecretInputProps) {
  const text = useText(commonText)
  return (
    <PasswordInput
      placeholder={isSet ? text.secretSet : text.secretUnset}
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visibilityToggleButtonProps={{ 'aria-label': text.show }}
      {...props}
    />
  )
}
