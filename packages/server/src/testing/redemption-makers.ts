import type { Client } from './client.ts'

/** The codes that a creation returns. */
export const makeCodes = async (client: Client, fields: Record<string, unknown> = {}): Promise<string[]> => {
  const { success, message, data } = await client.post('/api/redemption/', { name: 'gift', quota: 100, ...fields })
  if (!success) throw new Error(message)
  return data
}

/** One new code, with the id under which administrators know it. */
export const makeCode = async (client: Client, fields: Record<string, unknown> = {}) => {
  const [key = ''] = await makeCodes(client, { ...fields, count: 1 })
  const { data } = await client.get('/api/redemption/')
  return { key, id: Number(data[0].id) }
}
