import { PasswordInput, TextInput } from '@mantine/core'
import { PROXY_LOGIN_MAX } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import type { ChannelValues } from './channel-values.ts'

type ProxyValues = Pick<ChannelValues, 'proxy' | 'proxy_user' | 'proxy_password'>

interface ProxyFieldsProps {
  values: ProxyValues
  error: ReactNode
  /** The stored secrets. */
  kept: readonly string[]
  onChange: (values: Partial<ProxyValues>) => void
}

/** The proxy to the provider; its login is only shown when there is one. */
export function ProxyFields({ values, error, kept, onChange }: ProxyFieldsProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const placeholder = (name: keyof ProxyValues) => (kept.includes(name) ? text.secretKeep : '')
  return (
    <>
      <TextInput
        label={text.proxy}
        description={text.proxyHelp}
        placeholder="socks5://127.0.0.1:1080"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        spellCheck={false}
        value={values.proxy}
        error={error}
        data-path="proxy"
        onChange={(event) => onChange({ proxy: event.currentTarget.value })}
      />
      {values.proxy.trim() !== '' && (
        <>
          <TextInput
            label={text.proxyUser}
            placeholder={placeholder('proxy_user')}
            maxLength={PROXY_LOGIN_MAX}
            autoComplete="off"
            spellCheck={false}
            value={values.proxy_user}
            data-path="proxy_user"
            onChange={(event) => onChange({ proxy_user: event.currentTarget.value })}
          />
          <PasswordInput
            label={text.proxyPassword}
            placeholder={placeholder('proxy_password')}
            maxLength={PROXY_LOGIN_MAX}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': common.show }}
            value={values.proxy_password}
            data-path="proxy_password"
            onChange={(event) => onChange({ proxy_password: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}
