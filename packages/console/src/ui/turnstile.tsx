import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

interface TurnstileApi {
  render: (host: HTMLElement, options: Record<string, unknown>) => string
  remove: (widget: string) => void
}

declare global {
  interface Window {
    turnstile?: TurnstileApi
  }
}

/** The human check. `onToken` gets the proof, or '' when it has expired. */
export function Turnstile({ siteKey, onToken }: { siteKey: string; onToken: (token: string) => void }) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(onToken)
  const theme = useComputedColorScheme('light')
  latest.current = onToken

  useEffect(() => {
    let widget: string | undefined
    let gone = false
    void loadScript().then((api) => {
      if (gone || host.current === null) return
      widget = api.render(host.current, {
        sitekey: siteKey,
        theme,
        callback: (token: string) => latest.current(token),
        'expired-callback': () => latest.current(''),
      })
    })
    return () => {
      gone = true
      if (widget !== undefined) window.turnstile?.remove(widget)
    }
  }, [siteKey, theme])

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
