import { Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Limits, type RateLimits, type RateLimitUse } from '@tollgate/contract'
import { availableModels } from '../../api/available-models.ts'
import { useStatus } from '../../api/status.ts'
import { formField } from '../../lib/forms/form-field.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { recordingsText } from '../../text/recordings.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { FormFrame } from '../../ui/inputs/form-frame.tsx'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { MoneyInput } from '../../ui/inputs/money-input.tsx'
import { LimitsSection } from '../../ui/limits/limits-section.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { ModelsField } from './models-field.tsx'
import { RecordingSection } from './recording-section.tsx'
import { isExpiry, type TokenValues } from './token-values.ts'

interface TokenFormProps {
  initial: TokenValues
  creating?: boolean
  /** Set by an administrator. */
  adminLimits?: RateLimits
  /** The current use of the token's limits. */
  uses?: readonly RateLimitUse[]
  saving: boolean
  onSave: (values: TokenValues) => void
}

export function TokenForm({ initial, creating = false, adminLimits = {}, uses = [], saving, onSave }: TokenFormProps) {
  const text = useText(tokensText)
  const words = useText(recordingsText)
  const leave = useBackToList('/token')
  const form = useForm<TokenValues>({
    initialValues: initial,
    validate: {
      // The field is marked as required; an empty one needs no message.
      name: (name) => name.trim() === '' || null,
      expiry: (expiry) => (isExpiry(expiry) ? null : text.expiryBad),
    },
  })
  const { unlimited_quota } = form.values
  const models = useQuery(availableModels)
  const { recording: maxima } = useStatus()

  return (
    <FormFrame
      form={form}
      onSave={onSave}
      onCancel={() => leave({ saved: false })}
      submitLabel={creating ? text.create : text.save}
      saving={saving}
      differences={['remain_quota']}
      aliases={{ expired_time: 'expiry' }}
    >
      <FormSection title={text.basics}>
        <TextInput
          label={text.name}
          placeholder={text.namePlaceholder}
          required
          maxLength={Limits.tokenNameMax}
          {...form.getInputProps('name')}
        />
        <ExpiryField {...formField(form, 'expiry')} />
      </FormSection>
      <FormSection title={text.quota} help={text.quotaHelp}>
        <Switch label={text.unlimitedQuota} {...form.getInputProps('unlimited_quota', { type: 'checkbox' })} />
        <MoneyInput label={text.amount} disabled={unlimited_quota} {...formField(form, 'remain_quota')} />
      </FormSection>
      <FormSection title={text.limits}>
        <ModelsField {...formField(form, 'models')} />
        <TextInput
          label={text.subnet}
          description={text.subnetHelp}
          placeholder="192.168.0.0/24,10.0.0.0/8"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('subnet')}
        />
        <Switch
          label={text.fallback}
          description={text.fallbackHelp}
          {...form.getInputProps('fallback', { type: 'checkbox' })}
        />
      </FormSection>
      <LimitsSection
        uses={uses}
        models={models.data ?? []}
        adminLimits={adminLimits}
        {...formField(form, 'rate_limits')}
      />
      {maxima !== null && (
        <RecordingSection maxima={maxima} {...formField(form, 'recording')}>
          {initial.recording !== null && (
            <Switch
              label={words.remove}
              description={words.removeHelp}
              {...form.getInputProps('delete_recordings', { type: 'checkbox' })}
            />
          )}
        </RecordingSection>
      )}
    </FormFrame>
  )
}
