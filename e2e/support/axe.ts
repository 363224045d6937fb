import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { atFullSpeed } from './slow.ts'

/** No axe violation on the current page, including best practices. */
export async function expectAccessible(page: Page) {
  // Wait for transitions, whose intermediate colours do not count.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    await Promise.allSettled(ending.map((animation) => animation.finished))
  })
  // All in the page itself: merging the findings in a second page takes as long again, and only cross-origin frames
  // need it.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await atFullSpeed(page, () => axe.analyze())
  const findings = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  )
  expect.soft(findings.join('\n'), page.url()).toBe('')
}
