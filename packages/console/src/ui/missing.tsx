import { EmptyState } from './empty-state.tsx'

/** MISSING: stands for a page that is not written yet. Nothing may be released while this file is in use. */
export function Missing({ page }: { page: string }) {
  return <EmptyState title={`MISSING: ${page}`} />
}
