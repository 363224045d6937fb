import { Link } from '@tanstack/react-router'
import { settingsText } from '../../../text/settings.ts'
import { useText } from '../../../text/text.ts'
import classes from '../settings.module.css'
import type { SectionId, SettingsTab } from './sections.ts'
import { useSectionInView } from './use-section-in-view.ts'

/** The sections of a tab, shown beside them on a wide screen. */
export function SectionNav({ tab, ids }: { tab: SettingsTab; ids: readonly SectionId[] }) {
  const text = useText(settingsText)
  const here = useSectionInView(ids)
  return (
    <nav className={classes.nav} aria-label={text.sections}>
      {ids.map((id) => (
        <Link
          key={id}
          to="/setting"
          search={{ tab: tab === 'personal' ? undefined : tab }}
          hash={id}
          className={classes.anchor}
          data-here={here === id || undefined}
          activeProps={{}}
          activeOptions={{ includeHash: true }}
        >
          {text.section[id]}
        </Link>
      ))}
    </nav>
  )
}
