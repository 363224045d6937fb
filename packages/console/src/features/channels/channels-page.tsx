import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const ChannelsPage = () => <Missing page="ChannelsPage" />
