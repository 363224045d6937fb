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
  added: (amount) => `${amount} added; the balance is up to date.`,
  failed: 'Request failed',
  getCode: 'No code yet?',
  howToGet: 'How do I get a code?',
  openLink: 'Get one',
  noLink: 'The super admin has not set a top-up link',
  invite: 'Invite friends',
  inviteHelp:
    'When someone registers through your link, both of you get the reward that the administrator has set, if any.',
  inviteLink: 'Invite link',
  copyInvite: 'Copy the invite link',
  inviteCopied: 'Invite link copied to the clipboard',
}
