import { groupsOf, type ModelPrice } from '@tollgate/contract'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { shownPrice } from '../catalog/shown-price.ts'
import { type AskedPage, pageWindow } from '../database/page-window.ts'
import type { OptionsService } from '../options/options-service.ts'
import { modelBehind } from '../relay/models/aliases.ts'
import { freshSnapshot } from './route-query.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
}

/** The models that users of these groups may call, including aliases, at their prices. */
export const createGroupPrices =
  ({ catalog, options }: Needs) =>
  async (groupText: string, { keyword, p, page_size }: AskedPage & { keyword: string }) => {
    const snapshot = await freshSnapshot(catalog)
    const { ModelAliases } = options.values()
    const groups = groupsOf(groupText)
    const groupOf = (model: string) => groups.find((group) => snapshot.offers(group, model).length > 0)
    const behind = (name: string) => modelBehind(name, ModelAliases, (model) => groupOf(model) !== undefined)
    const wanted = keyword.trim().toLowerCase()
    const names = [...new Set([...snapshot.modelsOf(groups), ...ModelAliases.exact.keys()])]
      .filter((name) => name.toLowerCase().includes(wanted) && groupOf(behind(name)) !== undefined)
      .sort()

    const priced = (name: string): ModelPrice => {
      const model = behind(name)
      const group = groupOf(model) ?? ''
      const choices = snapshot.offers(group, model).flat()
      const prices = choices.map((choice) => shownPrice(catalog, choice, model))
      const distinct = [...new Map(prices.map((price) => [JSON.stringify(price), price])).values()]
      return { model: name, alias_of: model === name ? '' : model, group, prices: distinct }
    }
    const { limit, offset } = pageWindow(p, page_size)
    return { rows: names.slice(offset, offset + limit).map(priced), total: names.length }
  }
