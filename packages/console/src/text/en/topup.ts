import type { Words } from '../words.ts'
import type { zh } from '../zh/topup.ts'

export const en: Words<typeof zh> = {
  balance: 'Balance',
  used: 'Used so far',
  requests: 'Requests so far',
  redeem: 'Redeem a code',
  code: 'Redemption code',
  codePlaceholder: 'Paste or type the code',
  submit: 'Redeem',
  needCode: 'Please enter the top-up code',
  done: 'Top-up success',
  added: (amount) => `${amount} added to your balance.`,
  failed: 'Request failed',
  getCode: 'No code yet?',
  howToGet: 'How do I get a code?',
  openLink: 'Get one',
  noLink: 'The super admin has not set a top-up link',
  recent: 'Recent top-ups',
  allTopUps: 'All in the log',
  invite: 'Invite friends',
  inviteHelp: 'When someone registers through your link, you both get the bonus set by the administrator, if any.',
  inviteLink: 'Invite link',
  copyInvite: 'Copy invite link',
  inviteCopied: 'Invite link copied to the clipboard',
}
