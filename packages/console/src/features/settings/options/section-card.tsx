import { Button } from '@mantine/core'
import { OPTIONS } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { onValid } from '../../../lib/forms/focus-first-error.ts'
import { commonText } from '../../../text/common.ts'
import { settingsText } from '../../../text/settings.ts'
import { useText } from '../../../text/text.ts'
import { SettingsCard } from '../settings-card.tsx'
import { OptionField } from './option-field.tsx'
import type { Section, SectionId } from './sections.ts'
import type { Draft } from './use-draft.ts'

interface SectionCardProps {
  section: Section
  draft: Draft
  /** Before the fields, such as a callback address. */
  before?: ReactNode
  /** After the save button, such as another task of the section. */
  after?: ReactNode
}

/** A section with its fields and its own save button; switches need none. */
export function SectionCard({ section, draft, before, after }: SectionCardProps) {
  const common = useText(commonText)
  const save: Partial<Record<SectionId, string>> = useText(settingsText).save
  const { id, keys } = section
  const typed = keys.filter((key) => OPTIONS[key].kind !== 'toggle')

  return (
    <SettingsCard id={id}>
      <form onSubmit={onValid(() => draft.save(keys))} noValidate>
        {before}
        {keys.map((key) => (
          <OptionField key={key} draft={draft} name={key} />
        ))}
        {typed.length > 0 && (
          <div>
            <Button type="submit" disabled={draft.changed(typed).length === 0} loading={draft.isSaving(keys)}>
              {save[id] ?? common.save}
            </Button>
          </div>
        )}
      </form>
      {after}
    </SettingsCard>
  )
}
