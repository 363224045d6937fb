import { z } from 'zod'
import { stored } from './storage.ts'

/** Channel type, as a text, → the models it offers by default. */
export type ChannelModels = Record<string, string[]>

const Stored = z.record(z.string(), z.array(z.string()))

/** What this browser heard last time; the form shows it until the server has answered. */
export const rememberedChannelModels = (): ChannelModels | undefined =>
  Stored.safeParse(stored.readJson('channel_models')).data

export function rememberChannelModels(models: ChannelModels) {
  stored.write('channel_models', JSON.stringify(models))
  return models
}
