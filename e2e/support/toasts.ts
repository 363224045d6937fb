import { expect, type Page } from '@playwright/test'
import { escaped } from './escaped.ts'

/* A success is on the screen for a second and a half. On a slow machine that is over before a story looks. */

const shownOn = new WeakMap<Page, Map<number, string>>()

/** The messages that are on the screen now. */
export const toasts = (page: Page) => page.getByTestId('toasts')

/** Waits for a message with this text: on the screen, or there and gone since the page was opened. */
export const toasted = (page: Page, text: string | RegExp) =>
  expect
    .poll(() => [...(shownOn.get(page)?.values() ?? [])].join('\n'), 'messages since the page was opened')
    .toMatch(typeof text === 'string' ? new RegExp(escaped(text)) : text)

/** Before the page is opened. */
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

/** What `exposeBinding` puts into the window. */
interface Recorder {
  pageOpened: () => void
  toastShown: (at: number, text: string) => void
}
