import { TagsInput } from '@mantine/core'
import { commaList } from '@tollgate/contract'
import type { FieldProps } from './field-props.ts'

/** Domains as tags, without blanks and duplicates. */
export function DomainsField({ value, onChange, ...rest }: FieldProps) {
  return (
    <TagsInput
      {...rest}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={commaList(value)}
      onChange={(domains) => onChange(commaList(domains.join(',').toLowerCase()).join(','))}
      splitChars={[',', '，', ' ']}
      acceptValueOnBlur
    />
  )
}
