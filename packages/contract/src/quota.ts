import { z } from 'zod'

/** Quota is a whole number. Nothing in the product may hold more than this, in either direction. */
export const QUOTA_MAX = 1_000_000_000_000_000

/** With the default QuotaPerUnit this many quota points are one dollar. */
export const QUOTA_PER_DOLLAR = 500_000

export const quotaAmount = z.int().min(0).max(QUOTA_MAX)
/** For amounts that must not be 0; a single bound gives a single error message. */
export const quotaAboveZero = z.int().min(1).max(QUOTA_MAX)
export const quotaBalance = z.int().min(-QUOTA_MAX).max(QUOTA_MAX)
