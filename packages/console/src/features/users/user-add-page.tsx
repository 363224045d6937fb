import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { Limits } from '@tollgate/contract'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { FormFrame } from '../../ui/inputs/form-frame.tsx'
import { FormSection } from '../../ui/inputs/form-section.tsx'
import { useCreateUser } from './queries.ts'
import { isShortPassword } from './user-values.ts'

export function UserAddPage() {
  const text = useText(usersText)
  const common = useText(commonText)
  const navigate = useNavigate()
  const leave = useBackToList('/user')
  const create = useCreateUser()
  const form = useForm({
    initialValues: { username: '', display_name: '', password: '' },
    validate: {
      // The fields are marked as required; an empty one needs no message.
      username: (username) => username.trim() === '' || null,
      password: (password) => password === '' || (isShortPassword(password) ? text.passwordShort : null),
    },
  })

  const save = (values: typeof form.values) =>
    create.mutate(
      { username: values.username.trim(), display_name: values.display_name.trim(), password: values.password },
      {
        onSuccess: () => {
          toast.success(text.createdToast)
          void navigate({ to: '/user', ignoreBlocker: true })
        },
      },
    )

  return (
    <FormFrame
      form={form}
      onSave={save}
      onCancel={() => leave({ saved: false })}
      submitLabel={text.create}
      saving={create.isPending}
      done={create.isSuccess}
      secrets={['password']}
    >
      <FormSection title={text.account}>
        <TextInput
          label={text.username}
          placeholder={text.usernamePlaceholder}
          required
          maxLength={Limits.usernameMax}
          autoComplete="off"
          {...form.getInputProps('username')}
        />
        <TextInput
          label={text.displayName}
          placeholder={text.displayNamePlaceholder}
          maxLength={Limits.displayNameMax}
          autoComplete="off"
          {...form.getInputProps('display_name')}
        />
        <PasswordInput
          label={text.password}
          placeholder={text.passwordHint}
          required
          maxLength={Limits.passwordMax}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': common.show }}
          {...form.getInputProps('password')}
        />
      </FormSection>
    </FormFrame>
  )
}
