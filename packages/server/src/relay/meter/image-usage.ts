import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'
import { fieldsOf } from '../surfaces/fields.ts'

/* A response may have pictures drawn on the way, by a model of its own that is paid beside the one that was called. */

/** Who draws where the call does not say. */
const USUAL_ARTIST = 'gpt-image-1'

const toolsOf = ({ body }: Call) => (Array.isArray(body.tools) ? body.tools.map(fieldsOf) : [])

/** Undefined for calls that cannot draw. */
export const imageModelOf = (call: Call): string | undefined => {
  if (call.operation.usage.readImages === undefined) return undefined
  const model = toolsOf(call).find(({ type }) => type === 'image_generation')?.model
  return typeof model === 'string' && model !== '' ? model : USUAL_ARTIST
}

/** What is held for the picture of a call that asks for one: as large and as good as they come. */
export const estimateImages = (call: Call): Usage =>
  toolsOf(call).some(({ type }) => type === 'image_generation') ? { ...NO_USAGE, imageOutput: 6240 } : NO_USAGE
