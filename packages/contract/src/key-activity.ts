import { z } from 'zod'

/** Days of spending shown per key. */
export const ACTIVITY_DAYS = 7

/** Recent use of a key. */
export const KeyActivity = z.object({
  id: z.int(),
  /** Spending of the last days of the requested time zone, oldest first and today last. Keys of the same name share it. */
  spend: z.array(z.int()),
  /** Addresses that used the key in the last day, latest first, and how many there were in all. */
  addresses: z.array(z.object({ address: z.string(), last_at: z.int() })),
  address_count: z.int(),
  /** Set when its use differs from its history: a new network, and far more calls per hour than usual. */
  unusual: z
    .object({
      networks: z.array(z.string()),
      /** Calls in the busiest hour since. */
      calls: z.int(),
      /** Calls in an hour of use before, on average. */
      usual: z.number(),
    })
    .nullable(),
})

export type KeyActivity = z.infer<typeof KeyActivity>
