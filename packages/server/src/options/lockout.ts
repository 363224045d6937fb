import type { OptionKey, OptionValues } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'

/** How the super administrator can sign in without a password. */
export interface Root {
  github_id: string | null
  lark_id: string | null
  wechat_id: string | null
  external_login: number
}

/**
 * Refuses a change that closes the last way in of the super administrator, who alone can open every other one again. Where
 * none is open already, nothing is made worse by a change, and it may be a step towards opening one.
 */
export const refuseLockout = (key: OptionKey, value: unknown, current: OptionValues, root: Root | undefined) => {
  const after = { ...current, [key]: value }
  // A secret opens for its own address only.
  if (key === 'WeChatServerAddress' && value !== current.WeChatServerAddress) after.WeChatServerToken = ''
  if (hasWayIn(current, root) && !hasWayIn(after, root)) throw new GatewayError('option.locks_out')
}

function hasWayIn(value: OptionValues, root: Root | undefined) {
  if (value.PasswordLoginEnabled || root === undefined) return true
  // Whom an administrator's server vouches for is let in where root itself has allowed it.
  const lets = root.external_login === 1
  return (
    (root.github_id !== null && value.GitHubOAuthEnabled && isSet(value.GitHubClientId, value.GitHubClientSecret)) ||
    (root.lark_id !== null && lets && isSet(value.LarkClientId, value.LarkClientSecret)) ||
    (root.wechat_id !== null &&
      lets &&
      value.WeChatAuthEnabled &&
      isSet(value.WeChatServerAddress, value.WeChatServerToken))
  )
}

function isSet(...texts: string[]) {
  return texts.every((text) => text !== '')
}
