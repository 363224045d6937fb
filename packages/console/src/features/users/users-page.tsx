import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const UsersPage = () => <Missing page="UsersPage" />
