import { useRouter } from '@tanstack/react-router'
import type { SessionUser } from '@tollgate/contract'
import { DEFAULT_PASSWORD, defaultPassword } from '../../lib/session/default-password.ts'
import { insidePath } from '../../lib/session/inside-path.ts'
import { rememberUser } from '../../lib/session/session-user.ts'
import { appText } from '../../text/app.ts'
import { sessionText } from '../../text/session.ts'
import { textNow } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'

/** After a successful login: stores the user, shows a toast, and continues to the requested page. */
export function useEnter() {
  const { history } = useRouter()
  return (user: SessionUser, to: string | undefined) => {
    rememberUser(user)
    defaultPassword.remember(user.default_password)
    toast.success(textNow(sessionText).loginDone)
    if (!user.default_password) return history.push(insidePath(to) ?? '/token')
    toast.warning(textNow(appText).defaultPassword, { cause: DEFAULT_PASSWORD })
    history.push('/user/edit')
  }
}
