import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const UserAddPage = () => <Missing page="UserAddPage" />
