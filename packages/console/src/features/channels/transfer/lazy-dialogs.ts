import { lazy } from 'react'

/* Few who look at the list export or import: the code comes when they do. */

export const ExportDialog = lazy(() => import('./export-dialog.tsx').then((file) => ({ default: file.ExportDialog })))
export const ImportDialog = lazy(() => import('./import-dialog.tsx').then((file) => ({ default: file.ImportDialog })))
