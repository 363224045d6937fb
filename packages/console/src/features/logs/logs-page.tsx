import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const LogsPage = () => <Missing page="LogsPage" />
