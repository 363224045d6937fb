import { Alert, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Channel, channelType } from '@tollgate/contract'
import { formField } from '../../../lib/forms/form-field.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { FormSection } from '../../../ui/inputs/form-section.tsx'
import { IconKey } from '../../../ui/layout/icons.tsx'
import { type ChannelValues, compoundKey, keyCount, valueName } from './channel-values.ts'
import { KeyField } from './key-field.tsx'
import { PoolChoice } from './pool-choice.tsx'
import { PooledKeys } from './pooled-keys.tsx'
import { SpecialField } from './special-field.tsx'

interface AccessSectionProps {
  form: UseFormReturnType<ChannelValues>
  stored: Channel | undefined
  /** The channel now points elsewhere, so that its key has to be entered again. */
  retype: boolean
}

/** Amazon's address follows from the region. */
const AWS = 33

/** Key, address, and the fields that only some types have. */
export function AccessSection({ form, stored, retype }: AccessSectionProps) {
  const text = useText(channelsText)
  const { values } = form
  const type = channelType(values.type)
  const fields = type?.fields ?? []
  const ownAddress = fields.some(({ name }) => name === 'base_url')
  const pooled = stored !== undefined && stored.key_count > 0 && !retype ? stored : undefined
  const canPool = type?.hasModels !== false
  const typedKeys = stored === undefined ? keyCount(values.type, values.key) : 0
  return (
    <FormSection title={text.access}>
      {retype && stored !== undefined && (
        <Alert color="yellow" icon={<IconKey size={18} />} role="status">
          {text.keyRetype}
          {stored.key_count > 0 && ` ${text.keyRetypePool(stored.key_count)}`}
        </Alert>
      )}
      {fields
        .filter(({ secret }) => pooled === undefined || secret !== true)
        .map((field) => (
          <SpecialField
            key={field.name}
            field={field}
            isSet={stored !== undefined && !retype && field.secret === true}
            {...formField(form, valueName(field.name))}
          />
        ))}
      {pooled === undefined && compoundKey(values.type) === undefined && (
        <KeyField type={values.type} stored={stored} kept={!retype} {...formField(form, 'key')} />
      )}
      {stored !== undefined && !retype && canPool && <PooledKeys channel={stored} />}
      {typedKeys > 1 && canPool && <PoolChoice count={typedKeys} values={values} onChange={form.setValues} />}
      {!ownAddress && values.type !== AWS && (
        <TextInput
          label={text.baseUrl}
          description={text.baseUrlHelp}
          placeholder={type?.baseUrl ?? 'https://api.example.com'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          spellCheck={false}
          {...form.getInputProps('base_url')}
        />
      )}
    </FormSection>
  )
}
