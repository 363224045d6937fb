import { CHOICES_MAX, type Log, LogType, logs as logEndpoints, type RouteChoice } from '@tollgate/contract'
import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import { freshSnapshot, type RouteQuery, routingQueryOf } from './route-query.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
  logs: Pick<LogsService, 'page'>
}

/** The routing part of a log detail; entries of older versions may contain less. */
const Detail = z.object({
  requested_model: z.string().optional(),
  attempts: z
    .array(z.object({ channel: z.int(), name: z.string(), status: z.int(), ms: z.int() }))
    .default([])
    .catch([]),
  candidates: z
    .object({
      considered: z.array(z.object({ channel: z.int(), group: z.string() })),
      excluded: z.array(z.object({ channel: z.int(), name: z.string(), excluded: z.string() })),
    })
    .default({ considered: [], excluded: [] })
    .catch({ considered: [], excluded: [] }),
})

/** Channels may map a model to different upstream names; the log has those. */
const NAMES_MAX = 10
const EXCLUDED_MAX = 5

/** The newest calls of a group for a model, and how they were routed. */
export const createChoices =
  ({ catalog, options, logs }: Needs) =>
  async (query: RouteQuery): Promise<RouteChoice[]> => {
    const snapshot = await freshSnapshot(catalog)
    const { groups, model } = routingQueryOf(query, { options, snapshot, prices: catalog.prices() })
    const offering = [...snapshot.routes.values()].filter((route) => route.models.has(model))
    const names = new Set([model, ...offering.map(({ mapping }) => mapping.get(model) ?? model)])
    const isAnother = (name: string) =>
      name !== model && groups.some((group) => snapshot.offers(group, name).length > 0)
    const choices: RouteChoice[] = []
    for (const name of [...names].slice(0, NAMES_MAX)) {
      const { p, page_size, ...filter } = logEndpoints.list.query.parse({ model_name: name, page_size: CHOICES_MAX })
      const { rows } = await logs.page({ scope: 'everyone', filter }, { p, page_size }, 'en')
      for (const row of rows) {
        const { requested_model = row.model_name, ...detail } = Detail.parse(row.detail ?? {})
        const isOfGroup = detail.candidates.considered.some(({ group }) => groups.includes(group))
        if (isCall(row) && isOfGroup && !isAnother(requested_model)) choices.push(choiceOf(row, detail))
      }
    }
    return choices.sort((one, other) => other.created_at - one.created_at || other.id - one.id).slice(0, CHOICES_MAX)
  }

const isCall = ({ type }: Log) => type === LogType.consume || type === LogType.failed

const choiceOf = (row: Log, { attempts, candidates }: Pick<z.infer<typeof Detail>, 'attempts' | 'candidates'>) => {
  const { id, created_at, request_id, username, outcome, channel, first_byte_time } = row
  return {
    ...{ id, created_at, request_id, username, outcome, channel, first_byte_time },
    considered: new Set(candidates.considered.map((one) => one.channel)).size,
    attempts,
    excluded: candidates.excluded.slice(0, EXCLUDED_MAX),
  }
}
