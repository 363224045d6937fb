import { type Fields, fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import { readOpenAiUsage } from './usage.ts'

/** A picture of middling quality, for vendors that do not say what theirs took. */
const PICTURE_TOKENS = 1056

/**
 * What the pictures of a response took, which the model that was called had drawn by another one: its usage leaves them
 * out. Undefined where nothing was drawn.
 */
export function readImageUsage(body: unknown): Usage | undefined {
  const { response = body } = fieldsOf(body)
  const { tool_usage: tools, output } = fieldsOf(response)
  const stated = fieldsOf(tools).image_gen
  if (isFields(stated)) return readOpenAiUsage({ type: 'image_generation', usage: stated })
  const pictures = listOf(output).map(fieldsOf).filter(isPicture)
  return pictures.length === 0 ? undefined : { ...NO_USAGE, imageOutput: pictures.length * PICTURE_TOKENS }
}

const isPicture = ({ type, result }: Fields) => type === 'image_generation_call' && Boolean(textOf(result))
