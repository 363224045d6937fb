import { useMutation } from '@tanstack/react-query'
import { oauth, session } from '@tollgate/contract'
import { call } from '../../api/call.ts'

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

export const useLogin = () => useMutation({ mutationFn: (body: Credentials) => call(session.login, { body }) })

export const useWechatLogin = () =>
  useMutation({ mutationFn: (code: string) => call(oauth.wechat, { query: { code } }) })

export const useRegister = () =>
  useMutation({
    mutationFn: ({ turnstile, ...body }: Registration & { turnstile: string }) =>
      call(session.register, { query: { turnstile }, body }),
  })

export const useSendCode = () =>
  useMutation({ mutationFn: (query: MailRequest) => call(session.verification, { query }) })

export const useRequestReset = () =>
  useMutation({ mutationFn: (query: MailRequest) => call(session.requestReset, { query }) })

export const useConfirmReset = () =>
  useMutation({ mutationFn: (body: { email: string; token: string }) => call(session.reset, { body }) })
