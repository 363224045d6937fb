/** Rows keep their ids where they can, because logs, scripts and people refer to them. The others get ids above all that are in use. */
export const createFreeIds = (own: readonly number[], others: readonly number[]) => {
  const used = new Set(own)
  let last = own.concat(others).reduce((most, id) => Math.max(most, id), 0)
  return (wanted: number) => {
    const id = wanted > 0 && !used.has(wanted) ? wanted : ++last
    used.add(id)
    return id
  }
}
