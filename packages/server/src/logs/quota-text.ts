import type { Text } from '@tollgate/contract'

/** An amount as log entries and mails say it: in dollars where the site shows money, otherwise in points. */
export const quotaText = (quota: number, display: { inCurrency: boolean; perUnit: number }): Text => {
  if (!display.inCurrency) return { zh: `${quota} 点额度`, en: `${quota} quota points` }
  const dollars = (quota / display.perUnit).toFixed(6)
  return { zh: `＄${dollars} 额度`, en: `$${dollars} of quota` }
}
