import type { zh } from '../text/zh/app.ts'

export type PageTitle = keyof typeof zh.title
