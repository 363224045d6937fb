import { oauth, session } from '@tollgate/contract'
import { ask, call } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'

export interface Credentials {
  username: string
  password: string
}

export interface Registration extends Credentials {
  password2: string
  email: string
  verification_code: string
  aff_code: string | null
}

interface MailRequest {
  email: string
  turnstile: string
}

export const useLogin = () => useSend({ mutationFn: (body: Credentials) => call(session.login, { body }) })

export const useWechatLogin = () => useSend({ mutationFn: (code: string) => call(oauth.wechat, { query: { code } }) })

export const useRegister = () =>
  useSend({
    mutationFn: async ({ turnstile, ...body }: Registration & { turnstile: string }) =>
      (await ask(session.register, { query: { turnstile }, body })).extra,
  })

export const useSendCode = () => useSend({ mutationFn: (query: MailRequest) => call(session.verification, { query }) })

export const useRequestReset = () =>
  useSend({ mutationFn: (query: MailRequest) => call(session.requestReset, { query }) })

export const useConfirmReset = () =>
  useSend({ mutationFn: (body: { email: string; token: string }) => call(session.reset, { body }) })
