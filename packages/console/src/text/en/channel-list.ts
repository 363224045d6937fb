import type { Words } from '../words.ts'
import type { zh } from '../zh/channel-list.ts'

export const en: Words<typeof zh> = {
  columns: 'Columns',
  choices: {
    id: 'ID',
    group: 'Group',
    type: 'Type',
    tag: 'Tag',
    models: 'Models',
    failures: 'Failures',
    response: 'Response time',
    balance: 'Balance',
    usedQuota: 'Used quota',
    priority: 'Priority',
    weight: 'Weight',
    testModel: 'Test model',
  },
  failuresHelp: 'How many calls failed in the last 24 hours / how many there were',
  failuresOf: (failed, calls) => `${failed} / ${calls}`,
  filters: 'Filters',
  filtersOf: (count) => `Filters (${count})`,
  clear: 'Clear filters',
  anyStatus: 'Any status',
  anyType: 'Any type',
  anyGroup: 'Any group',
  model: 'Model',
  anyModel: 'Any model',
  anyTag: 'Any tag',
  anyFailures: 'Any failure rate',
  failing: (percent) => `Failure rate ≥ ${percent}%`,
  unpriced: 'Models without a price',
}
