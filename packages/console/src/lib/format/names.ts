const LENGTH_MAX = 15
const LENGTH_KEPT = 12

/** Names longer than 15 characters show their first 12 and an ellipsis. */
export const truncateName = (name: string) => {
  const characters = [...name]
  return characters.length > LENGTH_MAX ? `${characters.slice(0, LENGTH_KEPT).join('')}...` : name
}
