import { Alert, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Defaults, Limits } from '@tollgate/contract'
import { formField } from '../../lib/forms/form-field.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { redemptionsText } from '../../text/redemptions.ts'
import { useText } from '../../text/text.ts'
import { FormFrame } from '../../ui/inputs/form-frame.tsx'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { MoneyInput } from '../../ui/inputs/money-input.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { IconInfoCircle } from '../../ui/layout/icons.tsx'

export interface RedemptionValues {
  name: string
  quota: number
  count: number
}

/** While typing, the number of codes may be empty. */
type FormValues = Omit<RedemptionValues, 'count'> & { count: number | string }

export const NEW_REDEMPTION: RedemptionValues = {
  name: '',
  quota: Defaults.redemptionQuota,
  count: Defaults.redemptionCount,
}

interface RedemptionFormProps {
  initial: RedemptionValues
  /** The number of codes is only asked for on creation. */
  creating?: boolean
  /** A used code is read-only. */
  used?: boolean
  saving: boolean
  /** The codes already exist: nothing is lost by leaving. */
  done?: boolean
  onSave: (values: RedemptionValues) => void
}

export function RedemptionForm(props: RedemptionFormProps) {
  const { initial, creating = false, used = false, saving, done = false, onSave } = props
  const text = useText(redemptionsText)
  const leave = useBackToList('/redemption')
  const form = useForm<FormValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() === '' ? text.needName : null),
      quota: (quota) => (quota < 1 ? text.needQuota : null),
    },
  })

  const save = ({ name, quota, count }: FormValues) =>
    onSave({
      name: name.trim(),
      quota: Math.trunc(quota),
      count: Math.trunc(Number(count)) || Defaults.redemptionCount,
    })

  return (
    <FormFrame
      form={form}
      onSave={save}
      onCancel={() => leave({ saved: false })}
      submitLabel={creating ? text.create : text.save}
      saving={saving}
      done={done || used}
    >
      {used && (
        <Alert color="blue" icon={<IconInfoCircle size={18} />}>
          {text.usedNote}
        </Alert>
      )}
      <FormSection title={text.basics}>
        <TextInput
          label={text.name}
          description={text.nameHelp}
          placeholder={text.namePlaceholder}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          disabled={used}
          maxLength={Limits.redemptionNameMax}
          {...form.getInputProps('name')}
        />
        <MoneyInput label={text.quota} description={text.quotaHelp} disabled={used} {...formField(form, 'quota')} />
        {creating && <CountInput {...formField(form, 'count')} />}
      </FormSection>
    </FormFrame>
  )
}

interface CountInputProps {
  value: number | string
  onChange: (count: number | string) => void
}

function CountInput(props: CountInputProps) {
  const text = useText(redemptionsText)
  return (
    <NumberField
      label={text.count}
      description={text.countHelp(Limits.redemptionCountMax)}
      min={1}
      max={Limits.redemptionCountMax}
      {...props}
    />
  )
}
