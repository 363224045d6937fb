import { lazy } from 'react'

/* Exports and imports are rare, so their code is loaded on demand. */

export const ExportDialog = lazy(() => import('./export-dialog.tsx').then((file) => ({ default: file.ExportDialog })))
export const ImportDialog = lazy(() => import('./import-dialog.tsx').then((file) => ({ default: file.ImportDialog })))
