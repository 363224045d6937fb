/** So many decimals tell two amounts of quota apart. */
export const decimalsOf = (quotaPerUnit: number) => Math.max(2, Math.ceil(Math.log10(quotaPerUnit)))

/** Quota as one would type it: 500000 → `1`, 123 → `0.000246`. */
export const typedDollars = (quota: number, quotaPerUnit: number) =>
  (quota / quotaPerUnit).toFixed(decimalsOf(quotaPerUnit)).replace(/\.?0+$/, '')

/** The quota that was meant; 0 for what is no amount. */
export const quotaOf = (dollars: number | string, quotaPerUnit: number) => {
  const quota = Math.round(Number(dollars) * quotaPerUnit)
  return Number.isSafeInteger(quota) ? quota : 0
}
