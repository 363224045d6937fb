import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const ChatPage = () => <Missing page="ChatPage" />
