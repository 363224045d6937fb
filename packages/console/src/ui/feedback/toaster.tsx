import { CloseButton } from '@mantine/core'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { IconAlertTriangle, IconBell, IconCircleCheck, IconCircleX, IconInfoCircle } from '../layout/icons.tsx'
import { TOAST_MS, type Toast, toasts } from './toast.ts'
import classes from './toaster.module.css'

const NoticeText = lazy(() => import('../display/notice-text.tsx').then((file) => ({ default: file.NoticeText })))

const ICONS = {
  success: IconCircleCheck,
  info: IconInfoCircle,
  error: IconCircleX,
  warning: IconAlertTriangle,
  notice: IconBell,
} as const

/** Rendered once, at the root. The region exists before the first toast, so that screen readers announce it. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current)
  const region = useRef<HTMLElement>(null)

  // A phone has no corner without buttons: the page moves down by the height of the toasts.
  useLayoutEffect(() => {
    const height = shown.length === 0 ? 0 : (region.current?.offsetHeight ?? 0) + 8
    document.documentElement.style.setProperty('--toasts-height', `${height}px`)
  }, [shown])
  return (
    <section ref={region} className={classes.region} aria-live="polite" aria-relevant="additions" data-testid="toasts">
      {shown.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function Message({ toast }: { toast: Toast }) {
  const { id, kind, message, sticky, markdown } = toast
  const text = useText(commonText)
  // While it is hovered or focused, it does not disappear.
  const [held, setHeld] = useState(false)
  const Icon = ICONS[kind]

  useEffect(() => {
    if (held || sticky) return
    const timer = setTimeout(() => toasts.close(id), TOAST_MS[kind])
    return () => clearTimeout(timer)
  }, [held, sticky, id, kind])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pausing is a comfort; the message needs no interaction.
    <div
      className={classes.toast}
      data-kind={kind}
      data-operator={markdown || undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes.icon} size={18} aria-hidden />
      <div className={classes.message}>
        <Suspense>{markdown ? <NoticeText source={message} /> : message}</Suspense>
      </div>
      <CloseButton size="sm" aria-label={text.close} onClick={() => toasts.close(id)} />
    </div>
  )
}
