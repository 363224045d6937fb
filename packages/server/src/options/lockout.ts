import type { OptionKey, OptionValues } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'

/** How root can sign in without a password. */
export interface Root {
  github_id: string | null
  lark_id: string | null
  wechat_id: string | null
  external_login: number
}

/**
 * Rejects a change that would disable the last sign-in method of root, who alone can enable all others. When none is enabled
 * already, a change makes nothing worse, and may be a step towards enabling one.
 */
export const refuseLockout = (key: OptionKey, value: unknown, current: OptionValues, root: Root | undefined) => {
  const after = { ...current, [key]: value }
  // A secret can be decrypted only for its own address.
  if (key === 'WeChatServerAddress' && value !== current.WeChatServerAddress) after.WeChatServerToken = ''
  if (hasWayIn(current, root) && !hasWayIn(after, root)) throw new GatewayError('option.locks_out')
}

function hasWayIn(value: OptionValues, root: Root | undefined) {
  if (value.PasswordLoginEnabled || root === undefined) return true
  // External services may sign root in only if root itself allowed it.
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
