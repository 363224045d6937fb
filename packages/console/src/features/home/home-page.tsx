import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const HomePage = () => <Missing page="HomePage" />
