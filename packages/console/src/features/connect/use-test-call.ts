import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type RelayAnswer, relayCall } from '../../api/relay-call.ts'
import { useSend } from '../../api/use-send.ts'
import { PROTOCOLS, type ProtocolName } from './protocols.ts'

export interface TestCall {
  protocol: ProtocolName
  key: string
  model: string
  prompt: string
}

/** Undefined when it was aborted. */
export type TestAnswer = (RelayAnswer & { text: string }) | undefined

/** Sends one small real call. Leaving the page, or changing the input, aborts it. */
export function useTestCall() {
  const client = useQueryClient()
  const underway = useRef<AbortController>(undefined)
  const sending = useSend({
    mutationFn: async ({ protocol, key, model, prompt }: TestCall): Promise<TestAnswer> => {
      const { path, headers, body, textOf } = PROTOCOLS[protocol]
      underway.current = new AbortController()
      const { signal } = underway.current
      const answer = await relayCall({ path: path(model), headers: headers(key), body: body(model, prompt), signal })
      return answer && { ...answer, text: textOf(answer.body) }
    },
    // It was charged, so the balance has changed.
    onSuccess: (answer) => {
      if (answer === undefined) return
      void client.invalidateQueries({ queryKey: ['tokens'] })
      void client.invalidateQueries({ queryKey: ['users', 'self'] })
    },
    meta: { silent: true },
  })
  useEffect(() => () => underway.current?.abort(), [])
  return { ...sending, stop: () => underway.current?.abort() }
}
