import { useQuery } from '@tanstack/react-query'
import { isAdmin } from '@tollgate/contract'
import { ownLimits } from '../../../api/own-limits.ts'
import { ownUser } from '../../../api/own-user.ts'
import { useSessionUser } from '../../../lib/session/session-user.ts'
import { personalSettingsText } from '../../../text/personal-settings.ts'
import { useText } from '../../../text/text.ts'
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { OptionsSkeleton } from '../options/options-skeleton.tsx'
import { SectionNav } from '../options/section-nav.tsx'
import type { SectionId } from '../options/sections.ts'
import { SettingRow } from '../setting-row.tsx'
import classes from '../settings.module.css'
import { SettingsCard } from '../settings-card.tsx'
import { AccessTokenRow } from './access-token-row.tsx'
import { BindingRows } from './binding-rows.tsx'
import { ExternalLogin } from './external-login.tsx'
import { InviteRow } from './invite-row.tsx'
import { LimitsCard } from './limits-card.tsx'
import { RemoveAccountRow } from './remove-account-row.tsx'

/** Settings of the user's own account. */
export function PersonalTab() {
  const text = useText(personalSettingsText)
  const session = useSessionUser()
  const admin = session !== undefined && isAdmin(session.role)
  const { data: user, isError, error, refetch } = useQuery(ownUser)
  const { data: limits } = useQuery(ownLimits)
  const isLimited = limits !== undefined && limits.limits.length > 0
  if (user === undefined)
    return isError ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <OptionsSkeleton />
  return (
    <div className={classes.layout}>
      <SectionNav tab="personal" ids={sectionsOf(admin, isLimited)} />
      <div className={classes.cards}>
        <SettingsCard id="account">
          <SettingRow title={text.profile} note={text.profileHelp}>
            <ButtonLink to="/user/edit" variant="default">
              {text.profile}
            </ButtonLink>
          </SettingRow>
          <SettingRow title={text.alerts} note={text.alertsHelp}>
            <ButtonLink to="/alert" search={{ owner: 'own' }} variant="default">
              {text.alerts}
            </ButtonLink>
          </SettingRow>
          <AccessTokenRow />
          <InviteRow />
        </SettingsCard>
        {isLimited && <LimitsCard limits={limits.limits} />}
        <SettingsCard id="binding">
          <BindingRows user={user} />
        </SettingsCard>
        {admin && (
          <SettingsCard id="adminLogin">
            <ExternalLogin on={user.external_login} />
          </SettingsCard>
        )}
        <SettingsCard id="danger">
          <RemoveAccountRow username={user.username} />
        </SettingsCard>
      </div>
    </div>
  )
}

const sectionsOf = (admin: boolean, isLimited: boolean): SectionId[] => [
  'account',
  ...(isLimited ? (['ownLimits'] as const) : []),
  'binding',
  ...(admin ? (['adminLogin'] as const) : []),
  'danger',
]
