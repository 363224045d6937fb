import type { AuditService } from '../../audit/audit-service.ts'
import { DAY } from '../../common/time-units.ts'
import type { Db } from '../../database/client.ts'
import { currentAlarm } from '../../jobs/ledger-alarm.ts'
import type { Condition } from './condition.ts'

/** A process that starts this shortly before another is found dead replaces it. */
const REPLACED_WITHIN = 300

/** Conditions on the gateway itself, for administrators. */
export const createSystemConditions = ({ db, audit }: { db: Db; audit: Pick<AuditService, 'list'> }) => {
  const books: Condition = async () => {
    const finding = await currentAlarm(audit)
    if (finding === undefined) return []
    const { created_at } = finding
    return [
      {
        subject: '',
        title: { zh: '账目核对发现异常', en: 'The ledger does not balance' },
        lines: (time) => [
          { zh: `发现时间：${time(created_at)}`, en: `Found at ${time(created_at)}` },
          {
            zh: '在服务器上运行 tollgate audit 可列出每一处',
            en: 'Run tollgate audit on the server to list all findings',
          },
        ],
        path: '/setting?tab=operation',
      },
    ]
  }

  /** Every dead process is reported, even if already replaced; then the alert ends with the next evaluation. */
  const node: Condition = async ({ known, now }) => {
    const lost = await db
      .selectFrom('owners')
      .select(['epoch', 'node', 'lost_at'])
      .where('lost_at', '>', now - DAY)
      .execute()
    if (lost.length === 0) return []
    const alive = await db.selectFrom('owners').select('started_at').where('closed_at', 'is', null).execute()
    return lost.flatMap(({ epoch, node: name, lost_at }) => {
      const found = lost_at ?? now
      const isReplaced = alive.some(({ started_at }) => started_at >= found - REPLACED_WITHIN)
      if (isReplaced && known.has(epoch)) return []
      return [
        {
          subject: epoch,
          title: { zh: `节点 ${name} 失联`, en: `Node ${name} is lost` },
          lines: (time: (at: number) => string) => [
            {
              zh: `进程没有正常停止就消失了，于 ${time(found)} 被其他节点发现；它的未结调用已经结算`,
              en: `Its process disappeared without shutting down (detected at ${time(found)}). Its open calls were settled`,
            },
          ],
          path: '/',
        },
      ]
    })
  }

  return { books, node }
}
