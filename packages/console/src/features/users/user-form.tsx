import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Limits, type User } from '@tollgate/contract'
import { availableModels } from '../../api/available-models.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { formField } from '../../lib/forms/form-field.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { FormFrame } from '../../ui/inputs/form-frame.tsx'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { MoneyInput } from '../../ui/inputs/money-input.tsx'
import { LimitsSection } from '../../ui/limits/limits-section.tsx'
import { GroupField } from './group-field.tsx'
import { isShortPassword, toValues, type UserValues } from './user-values.ts'

interface UserFormProps {
  user: User
  /** Another user's account: groups and balance can be changed as well. */
  others?: boolean
  saving: boolean
  onSave: (values: UserValues) => void
  onCancel: () => void
}

export function UserForm({ user, others = false, saving, onSave, onCancel }: UserFormProps) {
  const text = useText(usersText)
  const common = useText(commonText)
  const money = useMoney()
  const models = useQuery({ ...availableModels, enabled: others })
  const form = useForm<UserValues>({
    initialValues: toValues(user),
    validate: {
      username: (username) => (username.trim() === '' ? common.required : null),
      password: (password) => (isShortPassword(password) ? text.passwordShort : null),
    },
  })

  return (
    <FormFrame
      form={form}
      onSave={onSave}
      onCancel={onCancel}
      submitLabel={others ? text.save : text.saveOwn}
      saving={saving}
      secrets={['password']}
      differences={['quota']}
    >
      <FormSection title={text.account}>
        <TextInput
          label={text.username}
          required
          // Generated names may be longer than chosen ones.
          maxLength={Math.max(Limits.usernameMax, user.username.length)}
          autoComplete="username"
          {...form.getInputProps('username')}
        />
        <TextInput
          label={text.displayName}
          maxLength={Math.max(Limits.displayNameMax, user.display_name.length)}
          autoComplete={others ? 'off' : 'nickname'}
          {...form.getInputProps('display_name')}
        />
        <PasswordInput
          label={text.newPassword}
          placeholder={text.passwordHint}
          description={text.passwordKeep}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={Limits.passwordMax}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': common.show }}
          {...form.getInputProps('password')}
        />
      </FormSection>
      {others && (
        <FormSection title={text.groupsAndBalance}>
          <GroupField {...formField(form, 'group')} />
          <MoneyInput
            label={text.quota}
            description={user.quota < 0 ? text.overdrawn(money.quota(user.quota)) : text.quotaHelp}
            {...formField(form, 'quota')}
          />
        </FormSection>
      )}
      {others && <LimitsSection models={models.data ?? []} {...formField(form, 'rate_limits')} />}
      <FormSection title={text.bound} help={others ? text.boundHelp : text.ownBoundHelp}>
        <BoundAccount label={text.github} value={user.github_id} />
        <BoundAccount label={text.wechat} value={user.wechat_id} />
        <BoundAccount label={text.email} value={user.email} />
      </FormSection>
    </FormFrame>
  )
}

function BoundAccount({ label, value }: { label: string; value: string }) {
  const text = useText(usersText)
  return <TextInput label={label} value={value} placeholder={text.notBound} readOnly variant="filled" />
}
