import { Button, Select, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { BudgetPeriod, BudgetScope } from '@tollgate/contract'
import { formatTimestamp } from '../../lib/format/time.ts'
import { formField } from '../../lib/forms/form-field.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { budgetsText } from '../../text/budgets.ts'
import { useText } from '../../text/text.ts'
import { DateTimeInput } from '../../ui/inputs/date-time-input.tsx'
import { FormFrame } from '../../ui/inputs/form-frame.tsx'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { MoneyInput } from '../../ui/inputs/money-input.tsx'
import { type BudgetValues, isRaise } from './budget-values.ts'
import { TargetField } from './target-field.tsx'

interface BudgetFormProps {
  initial: BudgetValues
  /** The name of the target; a budget's target cannot be changed. */
  targetName?: string
  creating?: boolean
  /** When the stored budget renews; 0 where it does not, or is new. */
  renewsAt?: number
  saving: boolean
  onSave: (values: BudgetValues) => void
}

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

export function BudgetForm(props: BudgetFormProps) {
  const { initial, targetName = '', creating = false, renewsAt = 0, saving, onSave } = props
  const text = useText(budgetsText)
  const admin = useIsAdmin()
  const leave = useBackToList('/budget')
  const form = useForm<BudgetValues>({
    initialValues: initial,
    validate: {
      target: (target) => (target === '' ? text.needTarget : null),
      quota: (quota) => (quota < 1 ? text.needQuota : null),
      raiseUntil: (_, values) => (isRaise(values) ? null : text.raiseBad),
    },
  })
  const { scope, period, zone } = form.values
  const scopes = BudgetScope.options.filter((value) => admin || value === 'key')

  return (
    <FormFrame
      form={form}
      onSave={onSave}
      onCancel={() => leave({ saved: false })}
      submitLabel={creating ? text.create : text.save}
      saving={saving}
      aliases={{ raise_until: 'raiseUntil' }}
    >
      <FormSection title={text.whose} help={text.whoseHelp}>
        <Select
          label={text.scope}
          data={scopes.map((value) => ({ value, label: text.scopes[value] }))}
          allowDeselect={false}
          disabled={!creating}
          value={scope}
          onChange={(value) => form.setValues({ scope: BudgetScope.catch(scope).parse(value), target: '' })}
        />
        <TargetField scope={scope} name={targetName} disabled={!creating} {...formField(form, 'target')} />
        <TextInput
          label={text.model}
          placeholder={text.modelPlaceholder}
          disabled={!creating}
          maxLength={100}
          {...form.getInputProps('model')}
        />
      </FormSection>
      <FormSection title={text.amount}>
        <MoneyInput label={text.quota} description={text.quotaHelp} {...formField(form, 'quota')} />
        <Select
          label={text.period}
          data={BudgetPeriod.options.map((value) => ({ value, label: text.periodChoices[value] }))}
          allowDeselect={false}
          value={period}
          onChange={(value) => form.setFieldValue('period', BudgetPeriod.catch(period).parse(value))}
        />
        {period !== 'forever' && (
          <Switch
            label={text.rolling}
            description={text.rollingHelp}
            {...form.getInputProps('rolling', { type: 'checkbox' })}
          />
        )}
        {period !== 'forever' && !form.values.rolling && (
          <Select
            label={text.zone}
            description={text.zoneHelp}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={ZONES.includes(zone) ? ZONES : [zone, ...ZONES]}
            searchable
            allowDeselect={false}
            limit={100}
            {...form.getInputProps('zone')}
          />
        )}
        {!creating && (
          <Text size="xs" c="dimmed">
            {text.restarts}
          </Text>
        )}
      </FormSection>
      <FormSection title={text.raise} help={text.raiseHelp}>
        <MoneyInput label={text.raiseQuota} {...formField(form, 'raise_quota')} />
        <div>
          <DateTimeInput label={text.raiseUntil} {...formField(form, 'raiseUntil')} />
          {renewsAt > 0 && (
            <Button
              mt={8}
              size="compact-sm"
              variant="default"
              onClick={() => formField(form, 'raiseUntil').onChange(formatTimestamp(renewsAt))}
            >
              {text.untilRenewal}
            </Button>
          )}
        </div>
      </FormSection>
    </FormFrame>
  )
}
