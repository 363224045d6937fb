import { Missing } from '../../ui/missing.tsx'

/** MISSING */
export const RedemptionAddPage = () => <Missing page="RedemptionAddPage" />

/** MISSING */
export const RedemptionEditPage = () => <Missing page="RedemptionEditPage" />
