/* OpenAI's codes of errors that come without a status: in a failed response, or in a stream. */

/** What the caller sent can not be answered, by whichever channel. */
const REQUEST_CODES = [
  ...['invalid_prompt', 'context_length_exceeded', 'string_above_max_length'],
  ...['content_policy_violation', 'bio_policy', 'cyber_policy', 'misalignment_policy_violation'],
  ...['invalid_image', 'invalid_image_format', 'invalid_base64_image', 'invalid_image_url', 'invalid_image_mode'],
  ...['image_too_large', 'image_too_small', 'image_parse_error', 'image_content_policy_violation'],
  ...['image_file_too_large', 'unsupported_image_media_type', 'empty_image_file', 'failed_to_download_image'],
  'image_file_not_found',
]

/** The status that each stands for. The others are the vendor's failures. */
export const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map([
  ...REQUEST_CODES.map((code) => [code, 400] as const),
  ['rate_limit_exceeded', 429],
  ['vector_store_timeout', 504],
])

/** Whether a client has to stop after it: whoever sends the same again gets the same. */
export const isFinalCode = (code: string) => code === 'insufficient_quota' || REQUEST_CODES.includes(code)
