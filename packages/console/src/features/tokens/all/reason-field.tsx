import { TextInput, type TextInputProps } from '@mantine/core'
import { Limits } from '@tollgate/contract'

interface ReasonFieldProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'mt'> {
  value: string
  onChange: (reason: string) => void
}

/** Why an administrator does something to somebody's key. The owner sees it. */
export const ReasonField = ({ onChange, ...field }: ReasonFieldProps) => (
  <TextInput
    data-autofocus
    required
    maxLength={Limits.reasonMax}
    {...field}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
