import type { ChatPart } from '../chat.ts'
import { defined, type Fields, fieldsOf, textOf } from '../json.ts'
import { signedBy } from '../signature.ts'
import { partialArguments } from './partial-arguments.ts'

/** Decodes the calls of one candidate. Most arrive whole; streamed arguments keep a call open over several chunks. */
export function callDecoder(choice: number, prefix: string | undefined) {
  let calls = 0
  let open: ReturnType<typeof partialArguments> | undefined

  const begin = (called: Fields, signature: string | undefined, args: string): ChatPart => {
    const call = calls++
    return defined({
      type: 'tool-call' as const,
      choice,
      call,
      id: textOf(called.id) ?? (prefix && `${prefix}_${call}`),
      name: textOf(called.name) ?? '',
      arguments: args,
      signature: signature === undefined ? undefined : signedBy('gemini', signature),
    })
  }

  /** The end of a call is not always marked: the next call or the end of the answer closes it too. */
  const close = (): ChatPart[] => {
    if (open === undefined) return []
    const text = open.text()
    open = undefined
    return [{ type: 'tool-call', choice, call: calls - 1, arguments: text }]
  }

  return {
    close,
    read(called: Fields, signature: string | undefined): ChatPart[] {
      const named = textOf(called.name) !== undefined
      const before = named ? close() : []
      if (named && called.willContinue !== true) {
        return [...before, begin(called, signature, JSON.stringify(fieldsOf(called.args)))]
      }
      const parts = named ? [begin(called, signature, '')] : []
      if (named) open = partialArguments()
      open?.add(called.partialArgs)
      return [...before, ...parts, ...(called.willContinue === true ? [] : close())]
    },
  }
}
