import { expect, type Page } from '@playwright/test'
import { escaped } from './escaped.ts'

/* A success toast lasts a second and a half, which on a slow machine may be over before a test checks. */

const shownOn = new WeakMap<Page, Map<number, string>>()

/** The toasts on the screen now. */
export const toasts = (page: Page) => page.getByTestId('toasts')

/** Waits for a toast with this text: visible now, or earlier since the page was opened. */
export const toasted = (page: Page, text: string | RegExp) =>
  expect
    .poll(() => [...(shownOn.get(page)?.values() ?? [])].join('\n'), 'messages since the page was opened')
    .toMatch(typeof text === 'string' ? new RegExp(escaped(text)) : text)

/** Call it before the page is opened. */
export async function recordToasts(page: Page) {
  const shown = new Map<number, string>()
  shownOn.set(page, shown)
  await page.exposeBinding('pageOpened', () => shown.clear())
  await page.exposeBinding('toastShown', (_, at: number, text: string) => void shown.set(at, text))
  await page.addInitScript(() => {
    if (window !== top) return
    const { pageOpened, toastShown } = window as unknown as Recorder
    const texts = new Map<Element, string>()
    pageOpened()
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('[data-testid="toasts"] > *')) {
        const text = toast.textContent ?? ''
        if (texts.get(toast) === text) continue
        texts.set(toast, text)
        toastShown([...texts.keys()].indexOf(toast), text)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
}

/** What `exposeBinding` adds to the window. */
interface Recorder {
  pageOpened: () => void
  toastShown: (at: number, text: string) => void
}
