import type { Words } from '../words.ts'
import type { zh } from '../zh/recording-requests.ts'

export const en: Words<typeof zh> = {
  ask: 'Ask to record calls',
  askTitle: (name, username) => `Ask ${username} to agree to recording the calls of ${name}?`,
  askHelp:
    'The owner sees the request and the reason in the list of tokens. Nothing is recorded before the owner agrees.',
  reason: 'Reason',
  reasonPlaceholder: 'Such as: to find the error in your ticket',
  send: 'Send the request',
  sent: 'The request was sent',
  withdraw: 'Withdraw the request to record',
  withdrawn: 'The request was withdrawn',
  pending: 'Waiting for the owner to agree to recording',
  declined: 'The owner declined recording',
  asked: 'Asks to record',
  askedOf: (name) => `An administrator asks to record the calls of ${name}`,
  title: (name) => `Agree to recording the calls of ${name}?`,
  because: (reason) => `The administrator's reason: ${reason}`,
  which: { errors: 'Only calls that fail are recorded', all: 'All calls are recorded' },
  share: (share) => `${share}% of them, chosen at random`,
  agree: 'Agree',
  decline: 'Decline',
  agreed: 'You agreed. You can switch it off in the form of the token at any time',
  refused: 'You declined. Nothing is recorded',
}
