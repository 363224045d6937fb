import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, channelType, Limits } from '@tollgate/contract'
import { useState } from 'react'
import { formField } from '../../../lib/forms/form-field.ts'
import { useBackToList } from '../../../lib/lists/back-to-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { useText } from '../../../text/text.ts'
import { FormFrame } from '../../../ui/inputs/form-frame.tsx'
import { FormSection } from '../../../ui/inputs/form-section.tsx'
import { modelsOf } from '../models/known-models.ts'
import { ModelsField } from '../models/models-field.tsx'
import { modelsByType } from '../queries.ts'
import { AccessSection } from './access-section.tsx'
import { modelSource } from './channel-body.ts'
import { channelErrors } from './channel-errors.ts'
import { keptHeaders, mustRetype } from './channel-key.ts'
import { ChannelTypeField } from './channel-type-field.tsx'
import type { ChannelValues } from './channel-values.ts'
import { GroupsField } from './groups-field.tsx'
import { MappingField } from './mapping-field.tsx'
import { MoreSection } from './more-section.tsx'
import { Placement } from './placement.tsx'
import { ProxyFields } from './proxy-fields.tsx'
import { RequestsFields } from './requests-fields.tsx'
import { TagField } from './tag-field.tsx'
import { typeHelp } from './type-help.ts'

interface ChannelFormProps {
  initial: ChannelValues
  /** The channel being edited; undefined for a new one. */
  stored?: Channel
  saving: boolean
  onSave: (values: ChannelValues) => void
}

export function ChannelForm({ initial, stored, saving, onSave }: ChannelFormProps) {
  const text = useText(channelsText)
  const inLanguage = useContractText()
  const leave = useBackToList('/channel')
  const client = useQueryClient()
  const known = useQuery(modelsByType).data
  const form = useForm<ChannelValues>({
    initialValues: initial,
    validate: (values) => channelErrors(values, { text, stored, labelOf: ({ label }) => inLanguage(label) }),
  })
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [moreOpened] = useState(() => hasMore(initial))
  const { values } = form
  const type = channelType(values.type)
  const retype = stored !== undefined && mustRetype(values, stored)
  const help = typeHelp(values.type, text)

  const chooseType = (next: number) => {
    const untouched = values.models.length === 0 || sameModels(values.models, modelsOf(known, values.type).priced)
    form.setValues({ type: next, other: '', ...(untouched && { models: modelsOf(known, next).priced }) })
    form.clearErrors()
    if (known === undefined) fillWhenKnown(next)
  }

  /** On a slow connection the type is chosen before the lists are loaded; without them the form can be filled in by hand. */
  const fillWhenKnown = (chosen: number) =>
    void client.ensureQueryData(modelsByType).then(
      (lists) => {
        const now = form.getValues()
        if (now.type === chosen && now.models.length === 0) form.setValues({ models: modelsOf(lists, chosen).priced })
      },
      () => undefined,
    )

  return (
    <FormFrame
      form={form}
      onSave={onSave}
      onCancel={() => leave({ saved: false })}
      submitLabel={stored === undefined ? text.create : text.save}
      saving={saving}
      secrets={['key', 'ak', 'sk', 'vertex_ai_adc', 'header_rules', 'proxy_user', 'proxy_password']}
      aliases={{ group: 'groups' }}
      {...(wide && { aside: <Placement values={values} stored={stored} /> })}
    >
      <FormSection title={text.vendor}>
        <ChannelTypeField value={values.type} onChange={chooseType} />
        {help !== undefined && (
          <Text size="sm" c="dimmed">
            {help}
          </Text>
        )}
        <TextInput
          label={text.name}
          placeholder={text.namePlaceholder}
          required
          maxLength={Limits.channelNameMax}
          {...form.getInputProps('name')}
        />
        <GroupsField {...formField(form, 'groups')} />
        <TagField {...formField(form, 'tag')} />
      </FormSection>
      <AccessSection form={form} stored={stored} retype={retype} />
      <FormSection title={text.models}>
        {type?.hasModels === false ? (
          <Text size="sm" c="dimmed">
            {text.noModels}
          </Text>
        ) : (
          <>
            <ModelsField
              // The answer of another vendor does not apply.
              key={values.type}
              type={values.type}
              stored={stored}
              source={modelSource(values, retype ? undefined : stored)}
              mapping={values.model_mapping}
              {...formField(form, 'models')}
            />
            <MappingField {...formField(form, 'model_mapping')} />
          </>
        )}
      </FormSection>
      <MoreSection values={values} opened={moreOpened} onChange={form.setValues}>
        <RequestsFields
          values={values}
          errors={form.errors}
          keptHeaders={keptHeaders(stored, retype)}
          onChange={form.setValues}
        />
        <ProxyFields
          values={values}
          error={form.errors.proxy}
          kept={stored === undefined || retype ? [] : stored.config_secrets}
          onChange={form.setValues}
        />
      </MoreSection>
    </FormFrame>
  )
}

/** Matches the two-column layout of the form. */
const WIDE = '(min-width: 75.0625em)'

const hasMore = ({ priority, weight, header_rules, body_rules, ignored_failures, ...rest }: ChannelValues) => {
  const { system_prompt, test_model, prompt_caching, connect_timeout, first_byte_timeout, proxy } = rest
  const optional = [system_prompt, test_model, prompt_caching, connect_timeout, first_byte_timeout, proxy]
  const rules = header_rules.length + body_rules.length + ignored_failures.length
  return Number(priority) !== 0 || Number(weight) !== 0 || rules > 0 || optional.some((value) => value !== '')
}

const sameModels = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((model) => others.includes(model))
