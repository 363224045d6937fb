import { members, type Refusal, statusRefusal } from './notifier.ts'

interface Coding {
  /** Where code and message may be found; the first one present counts. */
  codes: readonly string[]
  messages: readonly string[]
  accepted: number
  /** Codes after which a retry may succeed: rate limits, or a busy service. */
  retriable: readonly number[]
}

/** For services that always answer 200 and report errors in the body. */
export const codedRefusal =
  ({ codes, messages, accepted, retriable }: Coding) =>
  (status: number, text: string): Refusal | undefined => {
    const answer = members(text)
    const code = codes.map((name) => answer[name]).find((value) => typeof value === 'number')
    const message = messages.map((name) => answer[name]).find((value) => typeof value === 'string') ?? ''
    const byStatus = statusRefusal(status, String(message))
    if (byStatus !== undefined) return byStatus
    if (code === accepted) return undefined
    if (code === undefined) return { error: 'The answer is not one of this service', final: false }
    return { error: `${code}: ${message}`, final: !retriable.some((one) => one === code) }
  }
