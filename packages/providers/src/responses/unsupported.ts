import type { Unsupported } from '../unsupported.ts'

/** Parameters that Responses do not support. */
export const RESPONSES_UNSUPPORTED: Unsupported = {
  refuse: ['audio', 'input_audio', 'n', 'stop'],
  drop: ['top_k', 'seed', 'frequency_penalty', 'presence_penalty'],
}
