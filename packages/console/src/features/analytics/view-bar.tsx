import { NativeSelect, Switch } from '@mantine/core'
import type { Dimension } from '@tollgate/contract'
import type { Days } from '../../lib/usage/time-range.ts'
import { possibleSteps } from '../../lib/usage/time-steps.ts'
import { METRICS } from '../../lib/usage/usage-metrics.ts'
import { dimensionsFor, splitsFor } from '../../lib/usage/usage-search.ts'
import { analyticsText } from '../../text/analytics.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import classes from './analytics-page.module.css'
import type { Analytics } from './use-analytics.ts'

/** Selects the metric and the dimensions. */
export function ViewBar({ analytics, days }: { analytics: Analytics; days: Days }) {
  const text = useText(analyticsText)
  const words = useText(usageText)
  const { everyone, by, split, metric, step, compares, go } = analytics
  const named = (names: readonly Dimension[]) => names.map((value) => ({ value, label: words.dimension[value] }))
  return (
    <fieldset className={classes.view} aria-label={text.view}>
      <NativeSelect
        size="xs"
        label={words.whichMetric}
        value={metric}
        data={METRICS.map((value) => ({ value, label: words.metric[value] }))}
        onChange={({ currentTarget: { value } }) => go({ metric: value })}
      />
      <NativeSelect
        size="xs"
        label={text.by}
        value={by}
        data={named(dimensionsFor(everyone))}
        onChange={({ currentTarget: { value } }) => go({ by: value })}
      />
      <NativeSelect
        size="xs"
        label={text.split}
        value={split ?? 'none'}
        data={[{ value: 'none', label: text.noSplit }, ...named(splitsFor(by, everyone))]}
        onChange={({ currentTarget: { value } }) => go({ split: value })}
      />
      {by === 'time' && (
        <NativeSelect
          size="xs"
          label={text.step}
          value={step ?? ''}
          data={[
            { value: '', label: text.usualStep },
            ...possibleSteps(days).map((value) => ({ value, label: text.steps[value] })),
          ]}
          onChange={({ currentTarget: { value } }) => go({ step: value })}
        />
      )}
      <Switch
        className={classes.compare}
        label={text.compare}
        checked={compares}
        onChange={({ currentTarget: { checked } }) => go({ compare: checked ? 'yes' : undefined })}
      />
    </fieldset>
  )
}
