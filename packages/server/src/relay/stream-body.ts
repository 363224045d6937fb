import { streamAnswer } from './stream-answer.ts'

type Given = Parameters<typeof streamAnswer>

/**
 * A streamed answer as a body. A client may leave before the first byte was asked for; then the generator never begins,
 * and never ends either, so its end is begun here.
 */
export const streamBody = (answer: Given[0], needs: Given[1]): BodyInit => {
  const { client } = needs
  const pieces = streamAnswer(answer, needs)
  let begun = false
  const body = (async function* () {
    begun = true
    yield* pieces
  })()
  const leave = async () => {
    if (begun) return
    begun = true
    await pieces.next()
    await pieces.return(undefined)
  }
  if (client.aborted) void leave()
  else client.addEventListener('abort', () => void leave(), { once: true })
  // Bun takes an async generator as a body and ends it when the client leaves; the DOM's types do not know that.
  return body as unknown as BodyInit
}
