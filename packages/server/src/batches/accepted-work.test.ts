import { expect, setDefaultTimeout, test } from 'bun:test'
import { ACCEPTED_WORK } from '../testing/accepted-work.ts'
import { createFaults } from '../testing/failing-database.ts'

// Each round starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

test.each(Object.keys(ACCEPTED_WORK))(
  'whichever statement fails while %s is created: if the vendor accepts it, its id reaches the caller',
  async (kind) => {
    for (let statement = 1; ; statement++) {
      const faults = createFaults()
      const { world, create, accepted } = (await ACCEPTED_WORK[kind]?.({ faults })) ?? expect.unreachable()
      faults.failAt(statement)
      const { ok } = await create()
      const isOver = faults.count() < statement
      faults.failAt(0)
      expect([statement, ok]).toEqual([statement, accepted() === 1])
      expect(await world.app.audit()).toEqual([])
      if (isOver) return
    }
  },
)
