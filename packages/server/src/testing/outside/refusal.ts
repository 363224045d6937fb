import { GatewayError } from '../../common/errors.ts'

/** How a call was refused. A call that succeeds, or breaks in a way that is not a refusal, fails the test. */
export async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    (value) => new Error(`Not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof GatewayError)) throw error
  return { code: error.code, values: error.values, cause: error.cause instanceof Error ? error.cause.message : '' }
}
