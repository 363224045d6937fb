import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { OptionTab } from '@tollgate/contract'
import { useEffect, useMemo } from 'react'
import { useUnsavedGuard } from '../../../lib/forms/unsaved-guard.ts'
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx'
import { UnsavedDialog } from '../../../ui/inputs/form-unsaved.tsx'
import { CheckUpdates } from '../operation/check-updates.tsx'
import { ClearLogs } from '../operation/clear-logs.tsx'
import { type StoredOptions, storedOptions } from '../queries.ts'
import classes from '../settings.module.css'
import { SettingsCard } from '../settings-card.tsx'
import { CallbackAddress } from './callback-address.tsx'
import { OptionsSkeleton } from './options-skeleton.tsx'
import { SectionCard } from './section-card.tsx'
import { SectionNav } from './section-nav.tsx'
import { SECTIONS, type SectionId } from './sections.ts'
import { useDraft } from './use-draft.ts'

/** One of the tabs with the site's options. */
export function OptionsTab({ tab }: { tab: OptionTab }) {
  const { data, isError, error, refetch } = useQuery(storedOptions)
  if (data !== undefined) return <Sections key={tab} tab={tab} stored={data} />
  return isError ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <OptionsSkeleton />
}

function Sections({ tab, stored }: { tab: OptionTab; stored: StoredOptions }) {
  const draft = useDraft(stored)
  const guard = useUnsavedGuard(draft.isDirty)
  const { hash } = useLocation()
  const sections = SECTIONS[tab]
  const ids = useMemo(() => sections.map(({ id }) => id), [sections])

  // The anchor is in the URL before its section is rendered.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])

  return (
    <div className={classes.layout}>
      <SectionNav tab={tab} ids={ids} />
      <div className={classes.cards}>
        {sections.map((section) =>
          section.id === 'updates' ? (
            <SettingsCard key={section.id} id={section.id}>
              <CheckUpdates />
            </SettingsCard>
          ) : (
            <SectionCard key={section.id} section={section} draft={draft} {...extras(section.id)} />
          ),
        )}
      </div>
      <UnsavedDialog guard={guard} />
    </div>
  )
}

/** What a section has besides its options. */
function extras(id: SectionId) {
  switch (id) {
    case 'github':
      return { before: <CallbackAddress path="/oauth/github" /> }
    case 'lark':
      return { before: <CallbackAddress path="/oauth/lark" /> }
    case 'logs':
      return { after: <ClearLogs /> }
    default:
      return {}
  }
}
