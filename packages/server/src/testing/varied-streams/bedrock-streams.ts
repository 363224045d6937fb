import { amazonStream, packed } from '../amazon-stream.ts'
import { NONE, type VariedStream } from './varied-stream.ts'

export const NOVA = { type: 33, model: 'amazon.nova-pro-v1:0' }

export const BEDROCK_STREAMS: Record<string, VariedStream> = {
  'Converse with thinking and a call without input': {
    ...NOVA,
    answer: () =>
      amazonStream([
        packed('messageStart', { role: 'assistant' }),
        packed('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'The moon' } } }),
        packed('contentBlockStop', { contentBlockIndex: 0 }),
        packed('contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'Tide' } }),
        packed('contentBlockStop', { contentBlockIndex: 1 }),
        packed('contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't1', name: 'now' } } }),
        packed('contentBlockStop', { contentBlockIndex: 2 }),
        packed('messageStop', { stopReason: 'tool_use' }),
        packed('metadata', { usage: { inputTokens: 12, outputTokens: 7, totalTokens: 19 } }),
      ]),
    expected: { thinking: 'The moon', text: 'Tide', calls: NONE, finish: 'tool_calls' },
  },
}
