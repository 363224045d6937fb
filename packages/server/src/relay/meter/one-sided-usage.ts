import { inputTokens, NO_USAGE, outputTokens, type Usage } from '@tollgate/providers'

/**
 * Some vendors report only one side of a chat, input or output, and leave the other out or fill in 0. What was sent, or was delivered,
 * is then charged by our own count. Reasoning may be reported without the text that follows it: no less than was delivered is
 * charged. Returns the same object when both sides are reported.
 */
export const withBothSides = (reported: Usage, count: () => Usage): Usage => {
  const isInputMissing = inputTokens(reported) + reported.characters === 0
  const isOutputMissing = outputTokens(reported) === reported.reasoning
  if (!isInputMissing && !isOutputMissing) return reported
  const counted = count()
  const input = isInputMissing ? inputOf(counted) : NOTHING
  const output = isOutputMissing ? outputOf(counted, reported.reasoning) : NOTHING
  const isNew = inputTokens({ ...NO_USAGE, ...input }) + outputTokens({ ...NO_USAGE, ...output }) > 0
  return isNew ? { ...reported, ...input, ...output } : reported
}

const NOTHING: Partial<Usage> = {}

const inputOf = ({ input, audioInput, imageInput }: Usage): Partial<Usage> => ({ input, audioInput, imageInput })

const outputOf = ({ output, audioOutput, imageOutput }: Usage, reasoning: number): Partial<Usage> => ({
  output: Math.max(0, output - reasoning),
  audioOutput,
  imageOutput,
})
