import type { Recording, RecordingSettings } from '@tollgate/contract'
import { relayFixture } from './relay-fixture.ts'

const ALL: RecordingSettings = { scope: 'all', share: 100, days: 3, size: 64 }

type Overrides = Parameters<typeof relayFixture>[0] & { settings?: Partial<RecordingSettings> | null }

/** A gateway where recording is enabled, and a user who switched it on for their key. */
export const recordingFixture = async ({ settings = {}, options = {}, ...overrides }: Overrides = {}) => {
  const fixture = await relayFixture({ ...overrides, options: { RecordingEnabled: 'true', ...options } })
  const { app, payer } = fixture
  const { id: tokenId } = (await payer.client.get('/api/token/')).data[0]
  const agree = (wanted: RecordingSettings | null) =>
    payer.client.put('/api/token/', { id: tokenId, recording: wanted })
  if (settings !== null) await agree({ ...ALL, ...settings })

  return {
    ...fixture,
    tokenId,
    agree,
    rows: async () => {
      await app.parts.recorder.flush()
      return app.db.selectFrom('recordings').selectAll().orderBy('request_id').execute()
    },
    /** As the owner reads it. */
    async recordingOf(response: Response): Promise<Recording> {
      await app.parts.recorder.flush()
      const { success, message, data } = await payer.client.get(`/api/log/self/recording/${requestIdOf(response)}`)
      if (!success) throw new Error(message)
      return data
    },
  }
}

export const requestIdOf = (response: Response) => response.headers.get('x-request-id') ?? ''
