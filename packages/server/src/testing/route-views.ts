import type { Client } from './client.ts'

/** The route of a model, as Routes shows it. */
export const viewOf = async (client: Client, group = 'default', model = 'say/5', more = '') =>
  (await client.get(`/api/route/?group=${group}&model=${encodeURIComponent(model)}${more}`)).data

/** The channels of each level, with their shares. */
export const named = (levels: { channels: { name: string; share: number }[] }[]) =>
  levels.map(({ channels }) => channels.map(({ name, share }) => [name, share]))
