/** The quota of an amount in dollars, rounded to the nearest unit; 0 for no amount. */
export const quotaOf = (dollars: number | '', quotaPerUnit: number) => {
  const quota = Math.round(Number(dollars) * quotaPerUnit)
  return Number.isSafeInteger(quota) ? quota : 0
}
