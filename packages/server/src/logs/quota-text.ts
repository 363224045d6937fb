import { dollarText, type Text } from '@tollgate/contract'

/** An amount in log entries and mails: in dollars when the site shows currency, otherwise in points. */
export const quotaText = (quota: number, display: { inCurrency: boolean; perUnit: number }): Text => {
  if (!display.inCurrency) return { zh: `${quota} 点额度`, en: `${quota} quota points` }
  const dollars = dollarText(quota, display.perUnit, 'exact')
  return { zh: `${dollars} 额度`, en: `${dollars} of quota` }
}

/** Entries of earlier versions have a full-width dollar sign. */
export const withPlainDollar = (content: string) => content.replace(/＄(?=-?\d)/g, '$')
