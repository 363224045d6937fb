import { isAdmin, UserStatus } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import type { GitHub } from '../integrations/github.ts'
import type { Lark } from '../integrations/lark.ts'
import type { WeChat } from '../integrations/wechat.ts'
import type { OptionsService } from '../options/options-service.ts'
import { randomHex } from '../security/random.ts'
import type { MailCodes } from '../session/mail-codes.ts'
import type { AccountsService, IdentityColumn, StoredUser } from '../users/accounts-service.ts'
import type { OpenAccount } from '../users/open-account.ts'

export type OauthService = ReturnType<typeof createOauthService>

interface Needs {
  db: Db
  accounts: AccountsService
  codes: MailCodes
  github: GitHub
  lark: Lark
  wechat: WeChat
  openAccount: OpenAccount
  options: OptionsService
  ownAddress: string
}

/** A person authenticated by an external service. */
interface Person {
  column: IdentityColumn
  value: string
  name: string
  /** The service is configured by administrators, so it must not authenticate other administrators unless they allow it. */
  chosenByAdmins: boolean
}

export const createOauthService = (needs: Needs) => {
  const { db, accounts, codes, github, lark, wechat, openAccount, options, ownAddress } = needs

  const fromGitHub = async (code: string): Promise<Person> => {
    const { GitHubOAuthEnabled, GitHubClientId: clientId, GitHubClientSecret: clientSecret } = options.values()
    if (!GitHubOAuthEnabled || clientId === '' || clientSecret === '') throw new GatewayError('oauth.off')
    const { id, name, login } = await github.identify({ clientId, clientSecret, code })
    return { column: 'github_id', value: id, name: name || login, chosenByAdmins: false }
  }

  const fromLark = async (code: string): Promise<Person> => {
    const { LarkClientId: appId, LarkClientSecret: appSecret, ServerAddress } = options.values()
    if (appId === '' || appSecret === '') throw new GatewayError('oauth.off')
    const redirectUri = `${(ServerAddress || ownAddress).replace(/\/$/, '')}/oauth/lark`
    const { id, name } = await lark.identify({ appId, appSecret, code, redirectUri })
    return { column: 'lark_id', value: id, name, chosenByAdmins: true }
  }

  const fromWeChat = async (code: string): Promise<Person> => {
    const { WeChatAuthEnabled, WeChatServerAddress: address, WeChatServerToken: token } = options.values()
    if (!WeChatAuthEnabled || address === '' || token === '') throw new GatewayError('oauth.off')
    return {
      column: 'wechat_id',
      value: await wechat.identify({ address, token, code }),
      name: '',
      chosenByAdmins: true,
    }
  }

  const signedIn = async (person: Person): Promise<StoredUser> => {
    const user = (await accounts.findByIdentity(person.column, person.value)) ?? (await newcomer(person))
    if (user.status !== UserStatus.enabled) throw new GatewayError('session.banned')
    if (isAdmin(user.role) && person.chosenByAdmins && user.external_login !== 1) {
      throw new GatewayError('oauth.admin_closed')
    }
    return user
  }

  const newcomer = async ({ column, value, name }: Person) => {
    if (!options.values().RegisterEnabled) throw new GatewayError('register.off')
    // A random suffix, so that nobody can take the next name in advance.
    const username = `${column.replace('_id', '')}_${randomHex(4)}`
    const displayName = [...name].slice(0, 20).join('')
    const account = { username, displayName, passwordHash: '', identity: { column, value } }
    return transact(db, (tx) => openAccount(tx, account))
  }

  /** A signed-in user binds the person to the account; a visitor is signed in as that person. */
  const finish = async (person: Person, actor: Actor | undefined): Promise<'bound' | StoredUser> => {
    if (actor === undefined) return signedIn(person)
    refuseToken(actor)
    await accounts.bindIdentity(actor.id, person.column, person.value)
    return 'bound'
  }

  return {
    github: async (code: string, actor: Actor | undefined) => finish(await fromGitHub(code), actor),
    lark: async (code: string, actor: Actor | undefined) => finish(await fromLark(code), actor),
    wechat: async (code: string) => signedIn(await fromWeChat(code)),

    async bindWechat(actor: Actor, code: string) {
      refuseToken(actor)
      const { column, value } = await fromWeChat(code)
      await accounts.bindIdentity(actor.id, column, value)
    },

    async bindEmail(actor: Actor, address: string, code: string) {
      refuseToken(actor)
      const email = address.toLowerCase()
      if (!(await codes.use(db, 'verify', email, code))) throw new GatewayError('register.bad_code')
      await accounts.bindEmail(actor.id, email)
    },
  }
}

/** A new sign-in method is as powerful as a new password, which an access token may not set either. */
function refuseToken(actor: Actor) {
  if (actor.by === 'access token') throw new GatewayError('session.interactive_only')
}
