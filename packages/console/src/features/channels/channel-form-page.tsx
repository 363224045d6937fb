import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const ChannelAddPage = () => <Missing page="ChannelAddPage" />

/** MISSING */
export const ChannelEditPage = () => <Missing page="ChannelEditPage" />
