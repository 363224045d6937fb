import { members, type Refusal, statusRefusal } from './way.ts'

interface Coding {
  /** Where the code and the words may stand; the first that is there counts. */
  codes: readonly string[]
  words: readonly string[]
  accepted: number
  /** What these say may be different in a minute: too many messages, or a service that is busy. */
  passing: readonly number[]
}

/** Of services that answer 200 whatever happened, and say in the body what did. */
export const codedRefusal =
  ({ codes, words, accepted, passing }: Coding) =>
  (status: number, text: string): Refusal | undefined => {
    const answer = members(text)
    const code = codes.map((name) => answer[name]).find((value) => typeof value === 'number')
    const said = words.map((name) => answer[name]).find((value) => typeof value === 'string') ?? ''
    const byStatus = statusRefusal(status, String(said))
    if (byStatus !== undefined) return byStatus
    if (code === accepted) return undefined
    if (code === undefined) return { error: 'The answer is not one of this service', final: false }
    return { error: `${code}: ${said}`, final: !passing.some((one) => one === code) }
  }
