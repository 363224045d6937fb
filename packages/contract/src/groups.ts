import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { Defaults } from './api/limits.ts'
import { commaList } from './api/text.ts'

/** The groups of a user or a channel, in the order in which calls try them; none means the default one. */
export const groupsOf = (text: string) => {
  const groups = commaList(text)
  return groups.length === 0 ? [Defaults.group] : groups
}

export const groups = {
  list: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    summary: { zh: '分组名称', en: 'Names of the groups' },
    data: z.array(z.string()),
  }),
}
