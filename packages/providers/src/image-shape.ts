/** The aspect ratio nearest to a size such as `1792x1024`, for models that only accept ratios; undefined for other values. */
export function nearestRatio(size: string | undefined, ratios: readonly string[]): string | undefined {
  const wanted = sizeOf(size)
  if (wanted === undefined) return undefined
  const distance = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log(wanted.width / wanted.height) - Math.log(across / down))
  }
  return ratios.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Undefined for `auto` and anything else that is not a size. */
export function sizeOf(size = ''): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}
