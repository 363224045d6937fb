/** How long each kind stays, in milliseconds. */
export const TOAST_MS = { success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 } as const

export type ToastKind = keyof typeof TOAST_MS

export interface Toast {
  id: number
  kind: ToastKind
  message: string
  /** Stays until it is closed. */
  sticky: boolean
  /** An operator's text, in which Markdown and harmless HTML count. */
  markdown: boolean
}

interface NoticeOptions {
  sticky?: boolean
  markdown?: boolean
}

const VISIBLE_MAX = 5

const listeners = new Set<() => void>()
let shown: readonly Toast[] = []
let lastId = 0

export const toast = {
  success: (message: string) => show('success', message),
  info: (message: string) => show('info', message),
  error: (message: string) => show('error', message),
  warning: (message: string) => show('warning', message),
  notice: (message: string, options: NoticeOptions = {}) => show('notice', message, options),
}

export const toasts = {
  current: () => shown,
  close: (id: number) => set(shown.filter((each) => each.id !== id)),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function show(kind: ToastKind, message: string, { sticky = false, markdown = false }: NoticeOptions = {}) {
  // Several calls that fail for one reason say so once.
  const others = shown.filter((each) => each.kind !== kind || each.message !== message)
  lastId += 1
  set([...others, { id: lastId, kind, message, sticky, markdown }].slice(-VISIBLE_MAX))
}

function set(next: readonly Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}
