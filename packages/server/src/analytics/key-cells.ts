import { type Cell, cellFor, NOTHING } from './cells.ts'
import type { FigureDay } from './figure-days-repository.ts'
import type { FigureKey } from './figure-keys-repository.ts'
import { addKeyHours } from './packed-keys.ts'
import type { Part } from './sums-repository.ts'

/** The start of the step that contains an hour of a day; undefined if it is not part of the question. */
export type TimeOfHour = (hour: number) => number | undefined

/** Adds days that are packed by key to cells. */
export const keyCells = (cells: Map<string, Cell>, parts: readonly Part[], keys: readonly FigureKey[]) => {
  const { owners, ownerOf } = ownersOf(parts, keys)
  // A question about the members of a group reads half a million hours, nearly all of which belong to a known cell.
  const known = new Map<string, StepCells>()

  const stepCells = (time: number, { model, channel }: { model: string; channel: number }) => {
    const id = `${time} ${channel} ${model}`
    const found = known.get(id) ?? { time, byOwner: [] }
    known.set(id, found)
    return found
  }

  return ({ model_name, channel, hours }: FigureDay, timeOf: TimeOfHour) => {
    const route = {
      model: parts.includes('model') ? model_name : '',
      channel: parts.includes('channel') ? channel : 0,
    }
    const byHour: (StepCells | undefined)[] = []
    let step: StepCells | undefined
    addKeyHours(hours, (hour, key) => {
      const owner = ownerOf[key] ?? NOBODY
      if (owner === NOBODY) return undefined
      let found = byHour[hour]
      if (found === undefined) {
        const time = timeOf(hour)
        if (time === undefined) return undefined
        // Most hours of a day belong to the same step.
        if (step?.time !== time) step = stepCells(time, route)
        found = step
        byHour[hour] = found
      }
      const cell = found.byOwner[owner] ?? cellFor(cells, found.time, parts, { ...NOTHING, ...owners[owner], ...route })
      found.byOwner[owner] = cell
      return cell.sums
    })
  }
}

const NOBODY = -1

/** The cells of one step, of one route where rows are by route. */
interface StepCells {
  time: number
  byOwner: (Cell | undefined)[]
}

type Owner = Partial<Cell['row']>

/** What distinguishes the owners of cells, and which of them each key belongs to. */
function ownersOf(parts: readonly Part[], keys: readonly FigureKey[]) {
  const owners: Owner[] = []
  const places = new Map<string, number>()
  const ownerOf = new Int32Array((keys.at(-1)?.id ?? 0) + 1).fill(NOBODY)
  for (const { id, user_id, username, token_name, group } of keys) {
    const owner: Owner = {
      ...(parts.includes('user') || parts.includes('key') ? { user_id, user: username } : {}),
      ...(parts.includes('key') ? { key: token_name } : {}),
      ...(parts.includes('group') ? { group } : {}),
    }
    const name = Object.values(owner).join('\n')
    const place = places.get(name) ?? owners.push(owner) - 1
    places.set(name, place)
    ownerOf[id] = place
  }
  return { owners, ownerOf }
}
