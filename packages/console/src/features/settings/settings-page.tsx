import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const SettingsPage = () => <Missing page="SettingsPage" />
