import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const groups = {
  list: endpoint({
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    summary: { zh: '分组名称', en: 'Names of the groups' },
    data: z.array(z.string()),
  }),
}
