import { dollarText, type MoneyPrecision, QUOTA_PER_DOLLAR } from '@tollgate/contract'
import { createContext, useContext, useMemo } from 'react'
import { formatExact, formatNumber } from './numbers.ts'

/** How this site shows quota: two settings of the status call. */
export interface MoneySettings {
  quota_per_unit: number
  display_in_currency: boolean
}

const Settings = createContext<MoneySettings>({ quota_per_unit: QUOTA_PER_DOLLAR, display_in_currency: true })

export const MoneyProvider = Settings.Provider

/** Quota in the site's display unit: dollars, or a plain number. */
export const formatQuota = (quota: number, settings: MoneySettings, precision: MoneyPrecision = 'cents') => {
  if (settings.display_in_currency) return dollarText(quota, settings.quota_per_unit, precision)
  return precision === 'exact' ? formatExact(quota) : formatNumber(quota)
}

/** The tooltip: the exact amount in currency, and the quota behind it. */
const explained = (quota: number, settings: MoneySettings) =>
  settings.display_in_currency
    ? `${formatQuota(quota, settings, 'exact')} (${formatExact(quota)})`
    : `${formatExact(quota)} (${dollarText(quota, settings.quota_per_unit, 'exact')})`

export const useMoney = () => {
  const settings = useContext(Settings)
  return useMemo(
    () => ({
      quota: (quota: number, precision?: MoneyPrecision) => formatQuota(quota, settings, precision),
      explained: (quota: number) => explained(quota, settings),
      dollars: (quota: number, precision?: MoneyPrecision) => dollarText(quota, settings.quota_per_unit, precision),
      quotaPerUnit: settings.quota_per_unit,
      inCurrency: settings.display_in_currency,
    }),
    [settings],
  )
}
