import type { Ground } from './session.ts'
import type { Row } from './table.ts'
export interface Library {
  name: string
  package: string
  with: string[]
}
export const LIBRARIES: readonly Library[] = []
export const playLibrary = async (_library: Library, _ground: Ground, _reason: string | undefined): Promise<Row[]> => []
