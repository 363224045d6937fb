import { LONG_RUNNING, openDatabase } from '../../database/client.ts'
import { auditLedger } from './audit.ts'

/* A thread that runs one audit. Its parent ends it. */

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<{ location: string; nowSec: number }>) => {
  const database = openDatabase(data.location, LONG_RUNNING)
  const report = await auditLedger(database, data.nowSec)
  await database.close()
  self.postMessage(report)
}
