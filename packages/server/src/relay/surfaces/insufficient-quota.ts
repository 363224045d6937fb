import { failureOf, type UpstreamFailure } from '@tollgate/providers'
import type { ApiFamily } from './api-family.ts'
import { isVercelSdk } from './vercel-sdk.ts'

const CODE = 'insufficient_quota'

/** Programs that treat every 429 as a busy vendor and retry, whatever the answer says. */
const callsAgain = (program: string) =>
  /^(?:opencode|QwenCode)\/|(?:^| )langchain-google-genai\//.test(program) || isVercelSdk(program)

/**
 * The error for an exhausted balance in each family: Anthropic has a status of its own, the others use 429, except for programs
 * that would retry it. `program` is the caller's user agent.
 */
export const insufficientQuota = (message: string, family: ApiFamily, program = ''): UpstreamFailure => ({
  ...failureOf('client', message, {
    status: family === 'anthropic' || callsAgain(program) ? 402 : 429,
    code: CODE,
  }),
  type: CODE,
})

/** Our own error. A vendor's error about its account does not concern the caller. */
export const isAboutQuota = ({ code, class: kind }: UpstreamFailure) => code === CODE && kind === 'client'
