import { isOptionKey, OPTION_KEYS, OPTIONS, type OptionKey } from '@tollgate/contract'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { describeFailure } from '../../../api/failure.ts'
import { useSend } from '../../../api/use-send.ts'
import { withLabels } from '../../../lib/format/with-labels.ts'
import { useDraftOf } from '../../../lib/forms/drafts.ts'
import { commonText } from '../../../text/common.ts'
import { optionTablesText } from '../../../text/option-tables.ts'
import { optionsText } from '../../../text/options.ts'
import { useText } from '../../../text/text.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useWarned } from '../../../ui/feedback/use-warned.ts'
import { sameLimits } from '../limits/limit-table.ts'
import { ratioFault, sameRatios } from '../prices/ratio-table.ts'
import { optionWarnings, putOption, type StoredOptions, useAfterSaving } from '../queries.ts'
import { type Failed, type OptionChange, saveOneByOne, secretMoved } from './save-options.ts'
import type { PlacedKey } from './sections.ts'
import { isTable, tableFault } from './table-fault.ts'

type Texts = Partial<Record<OptionKey, string>>

interface Saving {
  /** The section that is being saved. */
  keys: readonly PlacedKey[]
  changes: OptionChange[]
}

export type Draft = ReturnType<typeof useDraft>

/** Unsaved input of a tab, beside the stored values. */
export function useDraft({ values, secretsSet }: StoredOptions) {
  const text = useText(optionsText)
  const tables = useText(optionTablesText)
  const common = useText(commonText)
  const [typed, setTyped] = useState<Texts>({})
  // The stored values may be renewed while somebody types: a change is made from what was shown when it began.
  const [bases, setBases] = useState<Texts>({})
  const [errors, setErrors] = useState<Texts>({})
  const afterSaving = useAfterSaving()
  const { warned } = useWarned()

  useDraftOf(
    () => {
      const unsaved = OPTION_KEYS.filter((key) => typed[key] !== undefined && isChanged(key))
      const isSecret = (key: OptionKey) => OPTIONS[key].class === 'secret'
      if (unsaved.length === 0) return undefined
      return {
        values: Object.fromEntries(unsaved.filter((key) => !isSecret(key)).map((key) => [key, value(key)])),
        missing: unsaved.filter(isSecret),
      }
    },
    ({ values: kept, missing }) => {
      setTyped(
        Object.fromEntries(Object.entries(kept).filter(([key, text]) => isOptionKey(key) && typeof text === 'string')),
      )
      setErrors(Object.fromEntries(missing.map((key) => [key, common.retypeSecret])))
      toast.info(common.restored)
    },
  )

  const storedValue = (key: OptionKey) => values[key] ?? ''
  const value = (key: OptionKey) => typed[key] ?? storedValue(key)
  const isChanged = (key: OptionKey) => differs(key, value(key), storedValue(key))
  const changed = (keys: readonly PlacedKey[]) => keys.filter(isChanged)
  const isSet = (key: OptionKey) => secretsSet.includes(key)

  const fault = (key: PlacedKey) => {
    if (isTable(key)) return tableFault(key, value(key), text)
    if (key !== 'ModelRatio' && key !== 'CompletionRatio' && key !== 'GroupRatio') return undefined
    const kind = ratioFault(value(key))
    return kind && { notJson: tables.ratio.notJson[key], notRatios: tables.ratio.notRatios }[kind]
  }

  const report = (failed: readonly Failed[]) => {
    const messages = failed.map(({ key, error, skipped }) => [
      key,
      skipped ? text.skipped : withLabels(messageOf(error), text),
    ])
    setErrors((before) => ({ ...before, ...Object.fromEntries(messages) }))
    if (failed.length === 0) return toast.success(common.done)
    const labels = failed.map(({ key }) => Object.entries(text.label).find(([name]) => name === key)?.[1] ?? key)
    toast.error(text.saveFailed(labels.join(text.comma)))
  }

  const save = useSend({
    mutationFn: async ({ changes }: Saving) => {
      const { saved, failed } = await saveOneByOne(changes, putOption)
      // Lost sessions are handled in one place outside.
      const lost = failed.find(({ error }) => error instanceof ApiError && error.status === 401)
      if (lost !== undefined) throw lost.error
      if (saved.length > 0) await afterSaving()
      setTyped((now) => without(now, saved))
      setBases((now) =>
        Object.fromEntries(Object.entries(now).filter(([key]) => !saved.some((one) => one.key === key))),
      )
      report(failed)
    },
  })

  return {
    value,
    storedValue,
    isSet,
    isChanged,
    changed,
    /** Whether this tab has unsaved changes. */
    isDirty: OPTION_KEYS.some(isChanged),
    error: (key: OptionKey) => errors[key],
    /** The secret is stored for another server than the one entered now. */
    mustReenter: (key: OptionKey) => isSet(key) && secretMoved(key, storedValue, value),
    set: (key: OptionKey, next: string) => {
      setTyped({ ...typed, [key]: next })
      setBases({ [key]: storedValue(key), ...bases })
      setErrors({ ...errors, [key]: undefined })
    },
    /** Saves the changes among these. Invalid ones are not sent. */
    save: (keys: readonly PlacedKey[]) => {
      const faults = changed(keys).flatMap((key) => {
        const message = fault(key)
        return message === undefined ? [] : [[key, message]]
      })
      if (faults.length > 0) return setErrors({ ...errors, ...Object.fromEntries(faults) })
      const changes = changed(keys).map((key) => ({
        ...{ key, value: value(key) },
        ...(OPTIONS[key].class !== 'secret' && { base: bases[key] }),
      }))
      warned({ ask: () => optionWarnings(changes), save: () => save.mutate({ keys, changes }) })
    },
    isSaving: (keys: readonly PlacedKey[]) => save.isPending && save.variables.keys === keys,
  }
}

/** An empty secret is unchanged; a table may be reformatted. */
function differs(key: OptionKey, now: string, before: string) {
  const { kind, class: secrecy } = OPTIONS[key]
  if (secrecy === 'secret') return now !== ''
  if (kind === 'limits') return !sameLimits(now, before)
  return kind === 'ratios' ? !sameRatios(now, before) : now !== before
}

function without(typed: Texts, saved: readonly { key: OptionKey; value: string }[]): Texts {
  // Input typed while the call was pending is kept.
  const done = new Map<string, string>(saved.map(({ key, value }) => [key, value]))
  return Object.fromEntries(Object.entries(typed).filter(([key, text]) => done.get(key) !== text))
}

function messageOf(error: unknown) {
  return error instanceof ApiError && error.status === 200 ? error.message : describeFailure(error).message
}
