import { QUOTA_PER_DOLLAR } from '@tollgate/contract'
import { createContext, useContext, useMemo } from 'react'
import { formatNumber } from './numbers.ts'

/** How this site shows quota: the two settings of the status call. */
export interface MoneySettings {
  quota_per_unit: number
  display_in_currency: boolean
}

const Settings = createContext<MoneySettings>({ quota_per_unit: QUOTA_PER_DOLLAR, display_in_currency: true })

export const MoneyProvider = Settings.Provider

/** 700000 → `$1.40` at the usual rate. Finer amounts, such as a single call, ask for more digits. */
export const formatDollars = (quota: number, quotaPerUnit: number, digits = 2) => {
  const text = Math.abs(quota / quotaPerUnit).toFixed(digits)
  const negative = quota < 0 && Number(text) !== 0
  return `${negative ? '-' : ''}$${text}`
}

/** Quota as the operator wants it shown: in dollars, or as a plain number. */
export const formatQuota = (quota: number, settings: MoneySettings, digits = 2) =>
  settings.display_in_currency ? formatDollars(quota, settings.quota_per_unit, digits) : formatNumber(quota)

export const useMoney = () => {
  const settings = useContext(Settings)
  return useMemo(
    () => ({
      quota: (quota: number, digits?: number) => formatQuota(quota, settings, digits),
      dollars: (quota: number, digits?: number) => formatDollars(quota, settings.quota_per_unit, digits),
      quotaPerUnit: settings.quota_per_unit,
    }),
    [settings],
  )
}
