import type { Call } from '../surfaces/call.ts'
import { fieldsOf } from '../surfaces/fields.ts'

/** The advisor models that the tools of a call name, and those that draw for it; undefined when there are none. */
export const advisorsOf = ({ operation, body }: Pick<Call, 'operation' | 'body'>): string[] | undefined => {
  if (operation.usage.readAdvisors === undefined || !Array.isArray(body.tools)) return undefined
  const named = body.tools.map(fieldsOf).flatMap(({ type, model, svg }) => {
    const isAdvisor = typeof type === 'string' && type.startsWith('advisor_')
    const name = isAdvisor ? model : type === 'image_generation' ? fieldsOf(svg).model : undefined
    return typeof name === 'string' ? [name] : []
  })
  return named.length === 0 ? undefined : named
}

/** Whether the vendor may have another model answer, if the called one declines. */
export const mayBeServedByOther = ({ operation, body }: Pick<Call, 'operation' | 'body'>): boolean =>
  operation.usage.readServingModel !== undefined && body.fallbacks != null
