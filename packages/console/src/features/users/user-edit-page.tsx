import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const ProfilePage = () => <Missing page="ProfilePage" />

/** MISSING */
export const UserEditPage = () => <Missing page="UserEditPage" />
