import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const TopupPage = () => <Missing page="TopupPage" />
