interface Outcomes {
  failed: number
  calls: number | null
}

/** 3 of 40 → `7.5%`. What is neither nothing nor everything never reads as such. */
export const shareText = ({ failed, calls }: Outcomes) => {
  if (calls === null || calls === 0) return ''
  const percent = (failed / calls) * 100
  if (failed === 0 || failed === calls) return `${percent}%`
  return `${Math.min(Math.max(percent, 0.1), 99.9).toFixed(1)}%`
}
