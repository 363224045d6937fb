import { createRootRoute } from '@tanstack/react-router'
import { Shell } from '../shell/shell.tsx'

export const root = createRootRoute({ component: Shell })
export const getParentRoute = () => root
