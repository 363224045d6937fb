import { Checkbox, Select, Stack, Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  type AlertDestination,
  AlertKindName,
  type AlertOwner,
  type AlertRule,
  isAlertKindOf,
} from '@tollgate/contract'
import { changedMembers } from '../../lib/forms/changed-members.ts'
import { formField } from '../../lib/forms/form-field.ts'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { MoneyInput } from '../../ui/inputs/money-input.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { DialogForm } from './dialog-form.tsx'
import { useCreateRule, useUpdateRule } from './queries.ts'

interface RuleDialogProps {
  owner: AlertOwner
  /** Absent for a new one. */
  rule?: AlertRule | undefined
  destinations: readonly AlertDestination[]
  onClose: () => void
}

const QUIET_MINUTES = { min: 5, max: 43_200 }

export function RuleDialog({ owner, rule, destinations, onClose }: RuleDialogProps) {
  const text = useText(alertsText)
  const create = useCreateRule()
  const update = useUpdateRule()
  const kinds = ALERT_KIND_NAMES.filter((kind) => isAlertKindOf(kind, owner))
  const form = useForm({
    initialValues: rule ? { ...rule } : newRule(owner, destinations),
    validate: { destinations: (chosen: number[]) => (chosen.length === 0 ? text.needDestination : null) },
  })
  const { kind } = form.values
  const facts = ALERT_KINDS[kind]
  const done = {
    onSuccess: () => {
      toast.success(text.ruleSaved)
      onClose()
    },
  }

  const save = ({ threshold, minimum, quiet_minutes, enabled, destinations: chosen }: typeof form.values) => {
    const known = chosen.filter((id) => destinations.some((destination) => destination.id === id))
    const fields = { threshold, minimum, quiet_minutes, enabled, destinations: known }
    if (rule === undefined) create.mutate({ owner, kind, ...fields }, done)
    else update.mutate({ id: rule.id, ...changedMembers<typeof fields>(rule, fields) }, done)
  }

  const choose = (value: string | null) => {
    const chosen = AlertKindName.catch(kind).parse(value)
    form.setValues({ kind: chosen, ...ALERT_KINDS[chosen].initial })
  }

  return (
    <DialogForm
      title={rule === undefined ? text.addRule : text.editRule}
      form={form}
      onSave={save}
      onClose={onClose}
      saving={create.isPending || update.isPending}
    >
      <Select
        label={text.kind}
        description={text.kindHelp[kind]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={kinds.map((value) => ({ value, label: text.kinds[value] }))}
        allowDeselect={false}
        disabled={rule !== undefined}
        value={kind}
        onChange={choose}
      />
      {facts.threshold === 'quota' && <MoneyInput label={text.thresholds.quota} {...formField(form, 'threshold')} />}
      {facts.threshold !== 'quota' && facts.threshold !== 'none' && (
        <NumberField
          label={text.thresholds[facts.threshold]}
          {...BOUNDS[facts.threshold]}
          decimal
          {...numberOf(formField(form, 'threshold'))}
        />
      )}
      {facts.minimum === 'calls' && (
        <NumberField
          label={text.minimumCalls}
          description={text.minimumHelp}
          min={0}
          max={1_000_000}
          {...numberOf(formField(form, 'minimum'))}
        />
      )}
      {facts.minimum === 'quota' && (
        <MoneyInput label={text.minimumQuota} description={text.minimumHelp} {...formField(form, 'minimum')} />
      )}
      <NumberField
        label={text.quietMinutes}
        description={text.quietHelp}
        {...QUIET_MINUTES}
        {...numberOf(formField(form, 'quiet_minutes'))}
      />
      <Checkbox.Group
        label={text.destinations}
        value={form.values.destinations.map(String)}
        onChange={(chosen) => {
          form.setFieldValue('destinations', chosen.map(Number))
          form.clearFieldError('destinations')
        }}
        error={form.errors.destinations}
      >
        <Stack gap="xs" mt={4}>
          {destinations.map(({ id, name, way }) => (
            <Checkbox key={id} value={String(id)} label={`${name} (${text.ways[way]})`} data-path="destinations" />
          ))}
          {destinations.length === 0 && (
            <Text size="sm" c="dimmed">
              {text.destinationFirstHelp}
            </Text>
          )}
        </Stack>
      </Checkbox.Group>
      <Switch label={text.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </DialogForm>
  )
}

const BOUNDS = {
  percent: { min: 1, max: 100 },
  times: { min: 1, max: 1000 },
  dollars: { min: 0, max: 1_000_000, prefix: '$' },
  days: { min: 1, max: 365 },
}

interface NewRule extends Pick<AlertRule, 'kind' | 'threshold' | 'minimum' | 'quiet_minutes' | 'enabled'> {
  destinations: number[]
}

const newRule = (owner: AlertOwner, destinations: readonly AlertDestination[]): NewRule => {
  const kind = owner === 'gateway' ? 'channel_disabled' : 'balance'
  // With a single destination there is nothing to choose.
  const chosen = destinations.length === 1 ? destinations.map(({ id }) => id) : []
  return { kind, ...ALERT_KINDS[kind].initial, quiet_minutes: 360, enabled: true, destinations: chosen }
}

/** An emptied field keeps the previous number until another one is entered. */
const numberOf = <Field extends { onChange: (value: number) => void }>({ onChange, ...field }: Field) => ({
  ...field,
  onChange: (value: number | '') => {
    if (value !== '') onChange(value)
  },
})
