import type { ModelListNews } from '@tollgate/contract'

/** What came and went at the vendors of these channels, or of all. */
export interface ModelLists {
  news(ids?: readonly number[]): Promise<ReadonlyMap<number, ModelListNews>>
}
