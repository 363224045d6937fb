/* What the frame has for someone who is signed in, in one file: a visitor loads none of it, all others need all of it. */

export { DialogHost } from '../../ui/dialog-host.tsx'
export { SearchButton } from './search-button.tsx'
export { Sidebar } from './sidebar.tsx'
export { UserMenu } from './user-menu.tsx'
