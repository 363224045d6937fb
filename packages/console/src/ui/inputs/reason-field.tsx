import { TextInput, type TextInputProps } from '@mantine/core'
import { Limits } from '@tollgate/contract'

interface ReasonFieldProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'description' | 'mt'> {
  value: string
  onChange: (reason: string) => void
}

/** Why an administrator changes what belongs to somebody else, who sees the reason. */
export const ReasonField = ({ onChange, ...field }: ReasonFieldProps) => (
  <TextInput
    data-autofocus
    required
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    maxLength={Limits.reasonMax}
    {...field}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
