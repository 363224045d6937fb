import type { ModelListNews } from '@tollgate/contract'

/** Changes in the model lists of these channels' vendors, or of all. */
export interface ModelLists {
  news(ids?: readonly number[]): Promise<ReadonlyMap<number, ModelListNews>>
}
