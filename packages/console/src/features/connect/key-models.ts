import { commaList, type Token, TokenStatus } from '@tollgate/contract'

/** Of what is offered to the owner, that which the key is not barred from. */
export const keyModels = (token: Pick<Token, 'models'>, offered: readonly string[]) => {
  const allowed = commaList(token.models)
  return allowed.length === 0 ? [...offered] : offered.filter((model) => allowed.includes(model))
}

/** Of keys that come newest first: the newest that can be used, or else the newest. */
export const preselected = <Key extends Pick<Token, 'status'>>(keys: readonly Key[]) =>
  keys.find(({ status }) => status === TokenStatus.enabled) ?? keys[0]
