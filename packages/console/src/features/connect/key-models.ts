import { commaList, type Token, TokenStatus } from '@tollgate/contract'

/** The models offered to the owner that the key may use. */
export const keyModels = (token: Pick<Token, 'models'>, offered: readonly string[]) => {
  const allowed = commaList(token.models)
  return allowed.length === 0 ? [...offered] : offered.filter((model) => allowed.includes(model))
}

/** Keys are newest first: the newest usable one, or else the newest. */
export const preselected = <Key extends Pick<Token, 'status'>>(keys: readonly Key[]) =>
  keys.find(({ status }) => status === TokenStatus.enabled) ?? keys[0]
