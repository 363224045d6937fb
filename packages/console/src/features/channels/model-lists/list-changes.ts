import type { ModelList, ModelListChange } from '@tollgate/contract'

/** All changes of a list, to be accepted or ignored. */
export const changeOf = ({ id, added, missing }: Pick<ModelList, 'id' | 'added' | 'missing'>): ModelListChange => ({
  id,
  added: added.map(({ model }) => model),
  missing: missing.map(({ model }) => model),
})

export const isNothing = ({ added, missing }: ModelListChange) => added.length + missing.length === 0
