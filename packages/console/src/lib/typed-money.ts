/** The quota that an amount of dollars stands for, to the nearest unit; 0 for what is no amount. */
export const quotaOf = (dollars: number | '', quotaPerUnit: number) => {
  const quota = Math.round(Number(dollars) * quotaPerUnit)
  return Number.isSafeInteger(quota) ? quota : 0
}
