import type { Text } from '@tollgate/contract'
import { VendorError } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import { upstreamText } from '../common/upstream-sentences.ts'
import { asServerError } from '../database/server-error.ts'
import type { RefusalNote, RefusedCalls } from '../logs/refused-calls.ts'
import type { UnknownCallers } from '../logs/unknown-callers.ts'
import { type Keys, presentedKey, type RelayCaller } from './caller/keys.ts'
import { outcomeOfError } from './outcome.ts'
import type { RequestContext } from './request-context.ts'

export type Refusals = ReturnType<typeof createRefusals>

interface Needs {
  catalog: Pick<CatalogService, 'snapshot'>
  keys: Keys
  refusedCalls: RefusedCalls
  unknownCallers: UnknownCallers
  clock: Clock
}

/** An unknown path is refused before its key is checked; the key is looked up afterwards at most this often. */
const LOOKUPS_PER_SEC = 5
const TEXT_MAX = 1000

/** Logs calls that were refused before a channel was chosen; the settlement logs the others. */
export const createRefusals = ({ catalog, keys, refusedCalls, unknownCallers, clock }: Needs) => {
  let second = 0
  let lookedUp = 0

  const mayLookUp = () => {
    const now = seconds(clock)
    if (now !== second) lookedUp = 0
    second = now
    return ++lookedUp <= LOOKUPS_PER_SEC
  }

  const note = (context: RequestContext, caller: RelayCaller, error: unknown, status: number) => {
    const { requestId, call } = context
    const refusal = error instanceof VendorError || error instanceof GatewayError ? error : asServerError(error)
    const code = refusal instanceof VendorError ? 'vendor' : refusal.code
    const { userId, tokenId } = caller
    const model = storableText(call?.model ?? '', TEXT_MAX)
    const isOffered = () => [...catalog.snapshot().routes.values()].some(({ models }) => models.has(model))
    refusedCalls.note({ userId, tokenId, code, model, requestId }, () => ({
      ...noteOf(context, caller, refusal, status),
      isOffered: isOffered(),
    }))
  }

  const lookUpAndNote = async (request: Request, context: RequestContext, error: unknown, status: number) => {
    // An error about the key itself is not what the caller received.
    await keys.authenticate(presentedKey(request), context).catch(() => {})
    if (context.caller === undefined) unknownCallers.count(context.ip)
    else note(context, context.caller, error, status)
  }

  return (request: Request, context: RequestContext, error: unknown, status: number) => {
    if (context.isHeld) return
    if (context.caller !== undefined) return note(context, context.caller, error, status)
    if (error instanceof GatewayError && WITHOUT_KEY.has(error.code)) return unknownCallers.count(context.ip)
    if (mayLookUp()) void lookUpAndNote(request, context, error, status)
  }
}

const WITHOUT_KEY: ReadonlySet<string> = new Set(['relay.no_key', 'relay.bad_key'])

function noteOf(
  { call, candidates, recording }: RequestContext,
  { username, tokenName }: RelayCaller,
  refusal: GatewayError | VendorError,
  status: number,
): Omit<RefusalNote, 'isOffered'> {
  const outcome = outcomeOfError(refusal)
  return {
    username,
    tokenName,
    status,
    outcome,
    content: textOf(refusal),
    stream: call?.stream === true,
    session: call?.agent?.id,
    recorded: recording?.entered(outcome) === true,
    candidates: candidates?.logged(),
  }
}

function textOf(refusal: GatewayError | VendorError): Text {
  const { zh, en } =
    refusal instanceof VendorError
      ? upstreamText(refusal.failure.message)
      : { zh: refusal.in('zh'), en: refusal.in('en') }
  return { zh: storableText(zh, TEXT_MAX), en: storableText(en, TEXT_MAX) }
}
