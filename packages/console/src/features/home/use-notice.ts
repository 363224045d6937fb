import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isNoticeSeen, markNoticeSeen } from '../../lib/session/notice-seen.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { siteNotice } from './queries.ts'

/** Shows the operator's notice until it is closed, once per text and browser. */
export function useNotice() {
  const { data: notice = '' } = useQuery(siteNotice)

  useEffect(() => {
    if (notice.trim() === '' || isNoticeSeen(notice)) return
    markNoticeSeen(notice)
    toast.notice(notice, { sticky: true, markdown: true })
  }, [notice])
}
