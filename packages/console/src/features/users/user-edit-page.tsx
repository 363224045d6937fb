import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type User, warnings } from '@tollgate/contract'
import { call } from '../../api/call.ts'
import { ownUser } from '../../api/own-user.ts'
import { useEditBase, useFormRecord } from '../../api/use-form-record.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { DEFAULT_PASSWORD, defaultPassword } from '../../lib/session/default-password.ts'
import { rememberUser, sessionUser } from '../../lib/session/session-user.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { toast, toasts } from '../../ui/feedback/toast.ts'
import { useWarned } from '../../ui/feedback/use-warned.ts'
import { FormSkeleton } from '../../ui/inputs/form-skeleton.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { userById, useUpdateSelf, useUpdateUser } from './queries.ts'
import { UserForm } from './user-form.tsx'
import { adminInput, profileInput, toEdit } from './user-values.ts'

const editRoute = getRouteApi('/user/edit/$id')

/** The user's own account. The default-password warning stays on every page until the password is changed here. */
export function ProfilePage() {
  const text = useText(usersText)
  const navigate = useNavigate()
  const self = useQuery(ownUser)
  const update = useUpdateSelf()
  if (self.data === undefined && self.isError)
    return <LoadFailed error={self.error} onRetry={() => void self.refetch()} />
  if (self.data === undefined) return <FormSkeleton />
  return (
    <UserForm
      user={self.data}
      saving={update.isPending || update.isSuccess}
      onCancel={() => void navigate({ to: '/setting' })}
      onSave={(values) =>
        update.mutate(profileInput(values), {
          onSuccess: (user) => {
            rememberIfOwn(user)
            defaultPassword.remember(user.default_password)
            if (!user.default_password) toasts.settle(DEFAULT_PASSWORD)
            toast.success(text.updatedToast)
            // A user who just replaced the initial password continues with the first steps.
            const isFirst = self.data.default_password && !user.default_password
            void navigate({ to: isFirst ? '/' : '/setting', ignoreBlocker: true })
          },
        })
      }
    />
  )
}

export function UserEditPage() {
  const common = useText(commonText)
  const text = useText(usersText)
  const leave = useBackToList('/user')
  const id = Number(editRoute.useParams().id)
  const { data: user, isError, error, refetch } = useFormRecord(userById(id))
  const update = useUpdateUser()
  const { withBase, onError } = useEditBase(user)
  const { warned, isChecking } = useWarned()
  if (isError) {
    const back = <ButtonLink to="/user">{common.backToList}</ButtonLink>
    return <LoadFailed error={error} onRetry={() => void refetch()} back={back} />
  }
  if (user === undefined) return <FormSkeleton />
  return (
    <UserForm
      user={user}
      others
      saving={isChecking || update.isPending || update.isSuccess}
      onCancel={() => leave({ saved: false })}
      onSave={(values) => {
        const edit = toEdit(values, user)
        const { group } = adminInput(values)
        // A balance that was left alone may have changed meanwhile; only a typed one is judged.
        const typed = edit.quota === undefined ? {} : { quota: edit.quota }
        warned({
          ask: () => call(warnings.user, { body: { id, group, ...typed } }),
          save: () =>
            update.mutate(withBase({ id, ...edit }), {
              onError,
              onSuccess: (saved) => {
                rememberIfOwn(saved)
                toast.success(text.updatedToast)
                leave({ saved: true })
              },
            }),
        })
      }}
    />
  )
}

/** The header shows the name stored in this browser. */
function rememberIfOwn(user: User) {
  if (user.id === sessionUser()?.id) rememberUser(user)
}
