import { z } from 'zod'

/** So many days a key's spending is shown for. */
export const ACTIVITY_DAYS = 7

/** How a key was used lately. */
export const KeyActivity = z.object({
  id: z.int(),
  /** What was spent on each of the last days, the oldest first and today last. Days begin in UTC. Keys of one name share it. */
  spend: z.array(z.int()),
  /** From where it was used in the last day, the latest first, and how many there were in all. */
  addresses: z.array(z.object({ address: z.string(), last_at: z.int() })),
  address_count: z.int(),
  /** Set where its use is unlike its past: a network that is new to it, and far more calls in an hour than usual. */
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
