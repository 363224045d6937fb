import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const RedemptionsPage = () => <Missing page="RedemptionsPage" />
