import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

interface TurnstileApi {
  render: (host: HTMLElement, options: Record<string, unknown>) => string
  reset: (widget: string) => void
  remove: (widget: string) => void
}

declare global {
  interface Window {
    turnstile?: TurnstileApi
  }
}

/**
 * The human check of a form. A token is valid for one call: `take` returns it once and lets the widget make the next. It returns ''
 * when no check is required, and undefined while there is no token yet. Until it is known whether a check is required, the form is not
 * ready: a call without a token would only be refused.
 */
export function useTurnstile(check: { enabled: boolean; siteKey: string } | undefined) {
  const { enabled = false, siteKey = '' } = check ?? {}
  // Not a state: two clicks in one frame must not get the same token.
  const proof = useRef('')
  const [taken, setTaken] = useState(0)

  const take = () => {
    if (!enabled) return ''
    if (proof.current === '') return undefined
    const token = proof.current
    proof.current = ''
    setTaken((count) => count + 1)
    return token
  }

  const onToken = (token: string) => {
    proof.current = token
  }
  return {
    take,
    ready: check !== undefined,
    widget: enabled && <Turnstile siteKey={siteKey} taken={taken} onToken={onToken} />,
  }
}

interface TurnstileProps {
  siteKey: string
  /** The number of used tokens: with each, the widget restarts. */
  taken: number
  /** Receives the token, or '' when it has expired or could not be made. */
  onToken: (token: string) => void
}

function Turnstile({ siteKey, taken, onToken }: TurnstileProps) {
  const host = useRef<HTMLDivElement>(null)
  const widget = useRef<string>(undefined)
  const latest = useRef(onToken)
  const theme = useComputedColorScheme('light')
  latest.current = onToken

  useEffect(() => {
    let gone = false
    void loadScript().then((api) => {
      if (gone || host.current === null) return
      widget.current = api.render(host.current, {
        sitekey: siteKey,
        theme,
        callback: (token: string) => latest.current(token),
        'expired-callback': () => latest.current(''),
        'error-callback': () => latest.current(''),
      })
    })
    return () => {
      gone = true
      latest.current('')
      if (widget.current !== undefined) window.turnstile?.remove(widget.current)
      widget.current = undefined
    }
  }, [siteKey, theme])

  useEffect(() => {
    if (taken > 0 && widget.current !== undefined) window.turnstile?.reset(widget.current)
  }, [taken])

  return <div ref={host} data-testid="turnstile" />
}

let loading: Promise<TurnstileApi> | undefined

function loadScript() {
  loading ??= new Promise((resolve) => {
    if (window.turnstile) return resolve(window.turnstile)
    const script = document.createElement('script')
    script.src = SCRIPT
    script.onload = () => window.turnstile && resolve(window.turnstile)
    document.head.append(script)
  })
  return loading
}
