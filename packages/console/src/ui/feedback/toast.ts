/** How long each kind is shown, in milliseconds. */
export const TOAST_MS = { success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 } as const

export type ToastKind = keyof typeof TOAST_MS

export interface Toast {
  id: number
  kind: ToastKind
  message: string
  /** Stays until it is closed. */
  sticky: boolean
  /** Operator content with Markdown and sanitised HTML. */
  markdown: boolean
  /** Its cause; when that is resolved, the toast is removed. */
  cause: string | undefined
  /** Shown while navigating, and meant for the next page. */
  onNextPage: boolean
}

interface ToastOptions {
  sticky?: boolean
  markdown?: boolean
  cause?: string
  onNextPage?: boolean
}

const VISIBLE_MAX = 5

const listeners = new Set<() => void>()
let shown: readonly Toast[] = []
let lastId = 0

export const toast = {
  success: (message: string) => show('success', message),
  info: (message: string, options: ToastOptions = {}) => show('info', message, options),
  error: (message: string, options: ToastOptions = {}) => show('error', message, options),
  warning: (message: string, options: ToastOptions = {}) => show('warning', message, options),
  notice: (message: string, options: ToastOptions = {}) => show('notice', message, options),
}

export const toasts = {
  current: () => shown,
  close: (id: number) => set(shown.filter((each) => each.id !== id)),
  /** The failed action has succeeded since. */
  settle: (cause: string) => {
    if (shown.some((each) => each.cause === cause)) set(shown.filter((each) => each.cause !== cause))
  },
  /** An error belongs to the page on which it happened. */
  leavePage: () => {
    const kept = shown.filter(({ kind, onNextPage }) => kind !== 'error' || onNextPage)
    if (kept.length < shown.length) set(kept.map((each) => ({ ...each, onNextPage: false })))
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function show(kind: ToastKind, message: string, options: ToastOptions = {}) {
  const { sticky = false, markdown = false, cause, onNextPage = false } = options
  // Several calls that fail for one reason show one toast.
  const others = shown.filter((each) => each.kind !== kind || each.message !== message)
  lastId += 1
  set([...others, { id: lastId, kind, message, sticky, markdown, cause, onNextPage }].slice(-VISIBLE_MAX))
}

function set(next: readonly Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}
