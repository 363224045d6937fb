import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'
import { fieldsOf } from '../surfaces/fields.ts'

/* A response may generate images with another model, which is billed beside the called one. */

/** The default image model. */
const DEFAULT_IMAGE_MODEL = 'gpt-image-1'

const toolsOf = ({ body }: Call) => (Array.isArray(body.tools) ? body.tools.map(fieldsOf) : [])

/** Undefined for calls that cannot generate images. */
export const imageModelOf = (call: Call): string | undefined => {
  if (call.operation.usage.readImages === undefined) return undefined
  const model = toolsOf(call).find(({ type }) => type === 'image_generation')?.model
  return typeof model === 'string' && model !== '' ? model : DEFAULT_IMAGE_MODEL
}

/** The hold for the image of a call that requests one: the largest size and best quality. */
export const estimateImages = (call: Call): Usage =>
  toolsOf(call).some(({ type }) => type === 'image_generation') ? { ...NO_USAGE, imageOutput: 6240 } : NO_USAGE
