import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const AboutPage = () => <Missing page="AboutPage" />
