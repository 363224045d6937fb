import type { OptionValues, RecordingSettings } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { DAY } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { createMemory } from './memory.ts'
import { type EndedCall, type RecordedFacts, recordedCall } from './recorded-call.ts'
import { type RecordingRow, recordingsRepository } from './recordings-repository.ts'
import { requestSealContext, responseSealContext } from './seal-context.ts'
import { storedBody } from './stored-body.ts'

export type Recorder = ReturnType<typeof createRecorder>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  log: Log
  bounds(): Pick<OptionValues, 'RecordingEnabled' | 'RecordingShareMax' | 'RecordingDaysMax' | 'RecordingSizeMax'>
  /** From 0 up to, but not including, 1. */
  random?(): number
  /** The memory limit in bytes for running calls and queued rows together. */
  memoryMax?: number
}

/** Running calls hold their bodies anyway; this is for copies of answers and what waits for the database. */
const MEMORY_MAX = 64 * 1024 * 1024
const ROWS_AT_ONCE = 20
/** A node that drops many reports it in few lines. */
const LOG_EVERY_MS = 10_000

/**
 * Records the bodies of calls whose key's owner agreed to it. Copies are taken while a call runs; they are cleaned, encrypted and
 * written after it has ended, one at a time beside other work. Without room, or when the database refuses, a recording is dropped
 * and counted, never a call. Unwritten recordings are lost when the process dies.
 */
export const createRecorder = ({
  db,
  clock,
  vault,
  log,
  bounds,
  random = Math.random,
  memoryMax = MEMORY_MAX,
}: Needs) => {
  const memory = createMemory(memoryMax)
  const ended: EndedCall[] = []
  const rows: { row: RecordingRow; taken: number }[] = []
  let writing: Promise<void> | undefined
  let dropped = 0
  let unlogged = 0
  let loggedAt = 0

  const onDropped = (recordings = 1) => {
    dropped += recordings
    unlogged += recordings
    wake()
  }

  const logDropped = () => {
    if (unlogged === 0 || clock.now() - loggedAt < LOG_EVERY_MS) return
    log.warn('Recordings were lost', { recordings: unlogged })
    loggedAt = clock.now()
    unlogged = 0
  }

  const sealed = (call: EndedCall) => {
    try {
      return rowOf(call, vault)
    } catch (error) {
      log.error('A recording could not be made', { error, requestId: call.requestId })
      return undefined
    }
  }

  const seal = (call: EndedCall) => {
    memory.free(call.taken)
    const row = sealed(call)
    if (row === undefined) return onDropped()
    const taken = row.request_sealed.length + row.response_sealed.length
    if (memory.take(taken)) rows.push({ row, taken })
    else onDropped()
  }

  const write = async () => {
    const some = rows.splice(0, ROWS_AT_ONCE)
    try {
      await recordingsRepository(db).insert(some.map(({ row }) => row))
    } catch (error) {
      log.warn('Recordings could not be written', { recordings: some.length, error })
      onDropped(some.length)
    }
    for (const { taken } of some) memory.free(taken)
  }

  const work = async () => {
    // After the answer that ended the call was sent.
    await yieldToEventLoop()
    while (ended.length + rows.length > 0) {
      for (const call of ended.splice(0, ROWS_AT_ONCE)) {
        seal(call)
        await yieldToEventLoop()
      }
      if (rows.length > 0) await write()
    }
    logDropped()
    writing = undefined
  }

  const wake = () => {
    writing ??= work()
  }

  return {
    /** Undefined when this call is not recorded. */
    begin(call: Omit<RecordedFacts, 'createdAt'>) {
      const { RecordingEnabled, RecordingShareMax, RecordingDaysMax, RecordingSizeMax } = bounds()
      if (!RecordingEnabled) return undefined
      const settings: RecordingSettings = {
        scope: call.settings.scope,
        share: Math.min(call.settings.share, RecordingShareMax),
        days: Math.min(call.settings.days, RecordingDaysMax),
        size: Math.min(call.settings.size, RecordingSizeMax),
      }
      if (random() * 100 >= settings.share) return undefined
      const facts = { ...call, settings, createdAt: seconds(clock) }
      const onEnd = (done: EndedCall) => {
        ended.push(done)
        wake()
      }
      return recordedCall(facts, { memory, onEnd, onDropped })
    },

    /** Resolves when everything that has ended is written. */
    flush: async () => writing,

    /** Recordings dropped since the start. */
    dropped: () => dropped,

    held: memory.held,
  }
}

function rowOf(call: EndedCall, vault: Vault): RecordingRow {
  const { requestId, key, settings, createdAt } = call
  const storing = { key, vault, bytesMax: settings.size * 1024 }
  const request = storedBody(call.request, { ...storing, place: requestSealContext(requestId) })
  const response = storedBody(call.response, { ...storing, place: responseSealContext(requestId) })
  return {
    request_id: requestId,
    user_id: call.userId,
    token_id: call.tokenId,
    created_at: createdAt,
    expires_at: createdAt + settings.days * DAY,
    operation: call.operation,
    status: call.status,
    is_stream: call.isStream ? 1 : 0,
    request_sealed: request.sealed,
    request_size: request.size,
    request_cut: request.cut ? 1 : 0,
    response_sealed: response.sealed,
    response_size: response.size,
    response_cut: response.cut ? 1 : 0,
  }
}
