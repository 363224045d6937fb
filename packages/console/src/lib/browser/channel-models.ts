import { z } from 'zod'
import { stored } from './storage.ts'

/** Default models by channel type (as text). */
export type ChannelModels = Record<string, string[]>

const Stored = z.record(z.string(), z.array(z.string()))

/** The last known models in this browser, shown until the server has answered. */
export const rememberedChannelModels = (): ChannelModels | undefined =>
  Stored.safeParse(stored.readJson('channel_models')).data

export function rememberChannelModels(models: ChannelModels) {
  stored.write('channel_models', JSON.stringify(models))
  return models
}
