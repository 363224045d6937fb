/** What an alert rule watches. `own`: a kind that concerns a single user, who chooses the destinations. */
export interface AlertKindFacts {
  of: 'gateway' | 'own' | 'both'
  /** The unit of the threshold. */
  threshold: 'none' | 'percent' | 'times' | 'quota' | 'dollars' | 'days'
  /** Below this minimum the rule does not fire. */
  minimum: 'none' | 'calls' | 'quota'
  /** Defaults of a new rule. */
  initial: { threshold: number; minimum: number }
}

const NOTHING = { threshold: 'none', minimum: 'none', initial: { threshold: 0, minimum: 0 } } as const

export const ALERT_KINDS = {
  channel_disabled: { of: 'gateway', ...NOTHING },
  channel_failing: {
    ...{ of: 'gateway', threshold: 'percent', minimum: 'calls' },
    initial: { threshold: 20, minimum: 10 },
  },
  failures: { of: 'gateway', threshold: 'percent', minimum: 'calls', initial: { threshold: 10, minimum: 50 } },
  spend: { of: 'gateway', threshold: 'times', minimum: 'quota', initial: { threshold: 3, minimum: 500_000 } },
  channel_balance: { of: 'gateway', threshold: 'dollars', minimum: 'none', initial: { threshold: 5, minimum: 0 } },
  budget: { of: 'both', threshold: 'percent', minimum: 'none', initial: { threshold: 80, minimum: 0 } },
  books: { of: 'gateway', ...NOTHING },
  price: { of: 'gateway', ...NOTHING },
  node: { of: 'gateway', ...NOTHING },
  balance: { of: 'own', threshold: 'quota', minimum: 'none', initial: { threshold: 500_000, minimum: 0 } },
  key: { of: 'own', threshold: 'quota', minimum: 'none', initial: { threshold: 500_000, minimum: 0 } },
  key_expiry: { of: 'own', threshold: 'days', minimum: 'none', initial: { threshold: 3, minimum: 0 } },
} as const satisfies Record<string, AlertKindFacts>

export const ALERT_KIND_NAMES = [
  'channel_disabled',
  'channel_failing',
  'failures',
  'spend',
  'channel_balance',
  'budget',
  'books',
  'price',
  'node',
  'balance',
  'key',
  'key_expiry',
] as const satisfies readonly (keyof typeof ALERT_KINDS)[]

/** Whether a rule of this kind may belong to the gateway, or to a user. */
export const isAlertKindOf = (kind: AlertKind, owner: 'gateway' | 'own') => {
  const { of } = ALERT_KINDS[kind]
  return of === 'both' || of === owner
}

export type AlertKind = (typeof ALERT_KIND_NAMES)[number]

/** A delivery channel for alerts and what it needs. */
export interface AlertMethodFacts {
  /** A web address, a mailbox, or a chat id. */
  address: 'url' | 'mailbox' | 'chat'
  secret: 'none' | 'optional' | 'required'
}

export const ALERT_METHODS = {
  email: { address: 'mailbox', secret: 'none' },
  webhook: { address: 'url', secret: 'required' },
  feishu: { address: 'url', secret: 'optional' },
  dingtalk: { address: 'url', secret: 'optional' },
  wecom: { address: 'url', secret: 'none' },
  telegram: { address: 'chat', secret: 'required' },
  slack: { address: 'url', secret: 'none' },
  bark: { address: 'url', secret: 'none' },
} as const satisfies Record<string, AlertMethodFacts>

export const ALERT_METHOD_NAMES = [
  'email',
  'webhook',
  'feishu',
  'dingtalk',
  'wecom',
  'telegram',
  'slack',
  'bark',
] as const satisfies readonly (keyof typeof ALERT_METHODS)[]

export type AlertMethod = (typeof ALERT_METHOD_NAMES)[number]
