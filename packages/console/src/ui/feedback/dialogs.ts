export interface Question {
  /** Names the object: "Delete token prod-web?" */
  title: string
  help?: string
  /** The verb on the button. */
  confirmLabel: string
  /** Red, for what cannot be undone. */
  danger?: boolean
}

export type OpenDialog =
  | { kind: 'confirm'; question: Question; answer: (yes: boolean) => void }
  | { kind: 'copy'; value: string }

const listeners = new Set<() => void>()
let open: OpenDialog | undefined

/** `if (await confirm({ … })) remove.mutate(id)` */
export const confirm = (question: Question) =>
  new Promise<boolean>((resolve) => {
    set({
      kind: 'confirm',
      question,
      answer: (yes) => {
        set(undefined)
        resolve(yes)
      },
    })
  })

/** Shows a value that could not be copied, selected. */
export const showForCopying = (value: string) => set({ kind: 'copy', value })

export const dialogs = {
  current: () => open,
  close: () => set(undefined),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function set(next: OpenDialog | undefined) {
  open = next
  for (const listener of listeners) listener()
}
