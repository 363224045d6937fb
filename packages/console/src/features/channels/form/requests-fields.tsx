import { MultiSelect, Text } from '@mantine/core'
import { CONNECT_TIMEOUT_MAX, FailureEnd, FIRST_BYTE_TIMEOUT_MAX, hasFixedBody, headerName } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { BodyPreview } from './body-preview.tsx'
import type { ChannelValues } from './channel-values.ts'
import { RuleTable } from './rule-table.tsx'

type RequestValues = Pick<
  ChannelValues,
  'type' | 'header_rules' | 'body_rules' | 'connect_timeout' | 'first_byte_timeout' | 'ignored_failures'
>

interface RequestsFieldsProps {
  values: RequestValues
  errors: Record<string, ReactNode>
  /** The headers with a stored value. */
  keptHeaders: ReadonlySet<string>
  onChange: (values: Partial<RequestValues>) => void
}

/** The channel's header and body rules. */
export function RequestsFields({ values, errors, keptHeaders, onChange }: RequestsFieldsProps) {
  const text = useText(channelsText)
  const { set, default: byDefault, remove } = text.ruleActions
  return (
    <>
      <Text component="h3" fw={600}>
        {text.requests}
      </Text>
      <RuleTable
        label={text.headerRules}
        help={text.headerRulesHelp}
        target={text.headerName}
        value={text.headerValue}
        actions={[
          { value: 'set', label: set },
          { value: 'remove', label: remove },
        ]}
        rows={values.header_rules}
        onChange={(header_rules) => onChange({ header_rules })}
        isStored={(name) => keptHeaders.has(headerName(name))}
        error={errors.header_rules}
        data-path="header_rules"
      />
      {hasFixedBody(values.type) ? (
        <Text size="sm" c="dimmed">
          {text.bodyFixed}
        </Text>
      ) : (
        <RuleTable
          label={text.bodyRules}
          help={text.bodyRulesHelp}
          target={text.bodyPath}
          value={text.bodyValue}
          actions={[
            { value: 'set', label: set },
            { value: 'default', label: byDefault },
            { value: 'remove', label: remove },
          ]}
          rows={values.body_rules}
          onChange={(body_rules) => onChange({ body_rules })}
          error={errors.body_rules}
          data-path="body_rules"
        />
      )}
      <BodyPreview type={values.type} rows={values.body_rules} />
      <NumberField
        label={text.connectTimeout}
        description={text.connectTimeoutHelp}
        min={1}
        max={CONNECT_TIMEOUT_MAX}
        value={values.connect_timeout}
        error={errors.connect_timeout}
        data-path="connect_timeout"
        onChange={(connect_timeout) => onChange({ connect_timeout })}
      />
      <NumberField
        label={text.firstByteTimeout}
        description={text.firstByteTimeoutHelp}
        min={1}
        max={FIRST_BYTE_TIMEOUT_MAX}
        value={values.first_byte_timeout}
        error={errors.first_byte_timeout}
        data-path="first_byte_timeout"
        onChange={(first_byte_timeout) => onChange({ first_byte_timeout })}
      />
      <MultiSelect
        label={text.ignoredFailures}
        description={text.ignoredFailuresHelp}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={FailureEnd.options.map((value) => ({ value, label: text.failureEnds[value] }))}
        value={values.ignored_failures}
        data-path="ignored_failures"
        onChange={(ends) => onChange({ ignored_failures: FailureEnd.options.filter((end) => ends.includes(end)) })}
      />
    </>
  )
}
