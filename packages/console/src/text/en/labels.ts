import type { Words } from '../words.ts'
import type { zh } from '../zh/labels.ts'

export const en: Words<typeof zh> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  unknownStatus: 'Unknown',
  role: { user: 'User', admin: 'Administrator', root: 'Super administrator', unknown: 'Unknown role' },
  user: { enabled: 'Active', banned: 'Banned' },
  token: { expired: 'Expired', exhausted: 'Exhausted' },
  channel: { disabled: 'Disabled', autoDisabled: 'Auto-disabled', unknownType: 'Unknown type' },
  redemption: { unused: 'Unused', used: 'Used' },
  log: {
    topUp: 'Top-up',
    consume: 'Usage',
    manage: 'Admin',
    system: 'System',
    test: 'Test',
    failed: 'Failed',
    unknown: 'Unknown',
  },
  outcome: {
    success: 'Success',
    client_error: 'Bad request',
    access: 'Key, access or balance',
    rate_limited: 'Rate limited',
    upstream_error: 'Upstream failed',
    timeout: 'Timed out',
    canceled: 'Disconnected',
  },
  nameless: { model: '(no known model)', user: '(no user)', group: '(no group)', key: '(unnamed token)' },
  filterBy: (name, value) => `${name}: ${value}`,
  removeFilter: (name) => `Remove filter: ${name}`,
}
