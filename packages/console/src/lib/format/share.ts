interface Outcomes {
  failed: number
  calls: number | null
}

/** 3 of 40 → `7.5%`. */
export const shareText = ({ failed, calls }: Outcomes) =>
  calls === null || calls === 0 ? '' : percentText(failed / calls)

/** 0.075 → `7.5%`. A value between never reads as 0% or 100%. */
export const percentText = (share: number) => {
  if (share === 0 || share === 1) return `${share * 100}%`
  return `${Math.min(Math.max(share * 100, 0.1), 99.9).toFixed(1)}%`
}
