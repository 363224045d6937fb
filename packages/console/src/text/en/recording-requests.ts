import type { Words } from '../words.ts'
import type { zh } from '../zh/recording-requests.ts'

export const en: Words<typeof zh> = {
  ask: 'Request recording',
  askTitle: (name, username) => `Ask ${username} for permission to record the calls of ${name}?`,
  askHelp: 'The owner sees the request and the reason in the token list. Nothing is recorded until the owner agrees.',
  reason: 'Reason',
  reasonPlaceholder: 'For example: to debug the error in your ticket',
  send: 'Send request',
  sent: 'Request sent',
  withdraw: 'Withdraw recording request',
  withdrawn: 'Request withdrawn',
  pending: 'Waiting for the owner to agree to recording',
  declined: 'The owner declined recording',
  asked: 'Record request',
  askedOf: (name) => `An administrator requests to record the calls of ${name}`,
  title: (name) => `Allow recording the calls of ${name}?`,
  because: (reason) => `The administrator's reason: ${reason}`,
  which: { errors: 'Only failed calls are recorded', all: 'All calls are recorded' },
  share: (share) => `${share}% of them, picked at random`,
  agree: 'Agree',
  decline: 'Decline',
  agreed: 'You agreed. You can turn recording off in the token settings at any time.',
  refused: 'You declined. Nothing is recorded.',
}
