import { type ReactNode, useId } from 'react'
import { settingsText } from '../../text/settings.ts'
import { useText } from '../../text/text.ts'
import type { SectionId } from './options/sections.ts'
import classes from './settings.module.css'

/** One section of a tab; its id is its anchor. */
export function SettingsCard({ id, children }: { id: SectionId; children: ReactNode }) {
  const text = useText(settingsText)
  const heading = useId()
  const help: Partial<Record<SectionId, string>> = text.sectionHelp
  return (
    <section id={id} className={classes.card} aria-labelledby={heading}>
      <h2 id={heading} className={classes.heading}>
        {text.section[id]}
      </h2>
      {help[id] !== undefined && <p className={classes.help}>{help[id]}</p>}
      <div className={classes.body}>{children}</div>
    </section>
  )
}
