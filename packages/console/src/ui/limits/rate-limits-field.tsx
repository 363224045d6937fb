import { Text } from '@mantine/core'
import { RATE_LIMIT_MODELS_MAX, type RateLimits } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { withModel, withoutModel } from '../../lib/format/rate-limits.ts'
import { limitsText } from '../../text/limits.ts'
import { useText } from '../../text/text.ts'
import { AddName } from './add-name.tsx'
import { LimitAmounts } from './limit-amounts.tsx'
import classes from './limits.module.css'
import { NamedPart } from './named-part.tsx'

interface RateLimitsFieldProps {
  value: RateLimits
  onChange: (limits: RateLimits) => void
  /** Suggested models for limits of their own. */
  models: readonly string[]
  error?: ReactNode
  'data-path'?: string
}

/** The limits of a key, a user or a group, and within them those of single models. */
export function RateLimitsField({ value, onChange, models, ...rest }: RateLimitsFieldProps) {
  const text = useText(limitsText)
  const limited = Object.entries(value.models ?? {})
  const taken = (model: string) => limited.some(([name]) => name === model)
  return (
    <div className={classes.field}>
      <LimitAmounts value={value} onChange={onChange} {...rest} />
      {limited.map(([model, limit]) => (
        <NamedPart key={model} name={model} onRemove={() => onChange(withoutModel(value, model))}>
          <LimitAmounts value={limit} onChange={(next) => onChange(withModel(value, model, next))} />
        </NamedPart>
      ))}
      {limited.length < RATE_LIMIT_MODELS_MAX ? (
        <AddName
          label={text.modelName}
          placeholder={text.addModel}
          names={models}
          taken={taken}
          onAdd={(model) => onChange(withModel(value, model, {}))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {text.modelsFull(RATE_LIMIT_MODELS_MAX)}
        </Text>
      )}
    </div>
  )
}
