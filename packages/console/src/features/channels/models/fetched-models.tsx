import { Button, CloseButton, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { IconMinus, IconPlus } from '../../../ui/layout/icons.tsx'
import classes from './fetched-models.module.css'
import { modelChanges } from './model-changes.ts'
import { ModelChips } from './model-chips.tsx'

interface FetchedModelsProps {
  /** The vendor's list. */
  listed: readonly string[]
  models: readonly string[]
  mapping: string
  onChange: (models: string[]) => void
  onClose: () => void
}

/** Differences between the vendor's list and the chosen models. Nothing changes unless the operator accepts it. */
export function FetchedModels({ listed, models, mapping, onChange, onClose }: FetchedModelsProps) {
  const text = useText(channelsText)
  const box = useRef<HTMLElement>(null)

  // The result often appears below the visible part, behind the button bar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is shown once, when it comes.
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [listed])

  const { added, gone } = modelChanges(listed, { models, mapping })
  const add = (wanted: readonly string[]) => onChange([...models, ...wanted])
  const remove = (unwanted: readonly string[]) => onChange(models.filter((model) => !unwanted.includes(model)))
  const follow = () => onChange([...models.filter((model) => !gone.includes(model)), ...added])
  return (
    <section ref={box} className={classes.box} aria-label={text.fetchedModels}>
      <Group justify="space-between" wrap="nowrap">
        <span role="status" className={classes.summary}>
          {text.fetched({ models: listed.length, added: added.length, gone: gone.length })}
        </span>
        <CloseButton size="sm" aria-label={text.fetchedClose} onClick={onClose} />
      </Group>
      {added.length > 0 && (
        <div className={classes.part}>
          <Group gap={8}>
            <span className={classes.title}>{text.fetchedAdded(added.length)}</span>
            <Button size="compact-xs" variant="default" onClick={() => add(added)}>
              {text.fetchedAddAll}
            </Button>
          </Group>
          <ModelChips
            label={text.fetchedAdded(added.length)}
            models={added}
            action={{ label: text.modelAdd, icon: <IconPlus size={12} aria-hidden />, run: (model) => add([model]) }}
          />
        </div>
      )}
      {gone.length > 0 && (
        <div className={classes.part}>
          <Group gap={8}>
            <span className={classes.title}>{text.fetchedGone(gone.length)}</span>
            <Button size="compact-xs" variant="default" onClick={() => remove(gone)}>
              {text.fetchedRemoveAll}
            </Button>
          </Group>
          <ModelChips
            label={text.fetchedGone(gone.length)}
            models={gone}
            action={{
              label: text.modelDrop,
              icon: <IconMinus size={12} aria-hidden />,
              run: (model) => remove([model]),
            }}
          />
        </div>
      )}
      {added.length > 0 && gone.length > 0 && (
        <Button className={classes.follow} size="compact-sm" variant="light" onClick={follow}>
          {text.fetchedFollow}
        </Button>
      )}
    </section>
  )
}
