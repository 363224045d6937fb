import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { RedemptionStatus } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { useFormRecord } from '../../api/use-form-record.ts'
import { downloadText } from '../../lib/browser/download.ts'
import { safeFileName } from '../../lib/browser/file-name.ts'
import { changedMembers } from '../../lib/forms/changed-members.ts'
import { useBackToList } from '../../lib/lists/back-to-list.ts'
import { commonText } from '../../text/common.ts'
import { redemptionsText } from '../../text/redemptions.ts'
import { useText } from '../../text/text.ts'
import { LoadFailed } from '../../ui/feedback/load-failed.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FormSkeleton } from '../../ui/inputs/form-skeleton.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { redemptionById, useCreateRedemptions, useUpdateRedemption } from './queries.ts'
import { NEW_REDEMPTION, RedemptionForm, type RedemptionValues } from './redemption-form.tsx'

const CodesDialog = lazy(() => import('./codes-dialog.tsx').then((file) => ({ default: file.CodesDialog })))
const editRoute = getRouteApi('/redemption/edit/$id')

interface Made {
  codes: string[]
  fileName: string
}

export function RedemptionAddPage() {
  const text = useText(redemptionsText)
  const create = useCreateRedemptions()
  const toList = useToList()
  const [made, setMade] = useState<Made>()

  const save = (values: RedemptionValues) =>
    create.mutate(values, {
      onSuccess: (codes) => {
        const fileName = `${safeFileName(values.name, text.fileName)}.txt`
        toast.success(text.createdToast)
        download({ codes, fileName })
        setMade({ codes, fileName })
      },
    })

  return (
    <>
      <RedemptionForm
        initial={NEW_REDEMPTION}
        creating
        saving={create.isPending}
        done={made !== undefined}
        onSave={save}
      />
      <Suspense>{made && <CodesDialog {...made} onDownload={() => download(made)} onClose={toList} />}</Suspense>
    </>
  )
}

export function RedemptionEditPage() {
  const common = useText(commonText)
  const text = useText(redemptionsText)
  const id = Number(editRoute.useParams().id)
  const { data: redemption, isError, error, refetch } = useFormRecord(redemptionById(id))
  const update = useUpdateRedemption()
  const leave = useBackToList('/redemption')
  if (isError) {
    const back = <ButtonLink to="/redemption">{common.backToList}</ButtonLink>
    return <LoadFailed error={error} onRetry={() => void refetch()} back={back} />
  }
  if (redemption === undefined) return <FormSkeleton />
  const { name, quota, status } = redemption
  return (
    <RedemptionForm
      initial={{ name, quota, count: 1 }}
      used={status === RedemptionStatus.used}
      saving={update.isPending || update.isSuccess}
      onSave={(values) =>
        update.mutate(
          { id, ...changedMembers({ name, quota }, { name: values.name, quota: values.quota }) },
          {
            onSuccess: () => {
              toast.success(text.updatedToast)
              leave({ saved: true })
            },
          },
        )
      }
    />
  )
}

function useToList() {
  const navigate = useNavigate()
  return () => void navigate({ to: '/redemption', ignoreBlocker: true })
}

/** One code per line. */
function download({ codes, fileName }: Made) {
  downloadText(fileName, `${codes.join('\n')}\n`)
}
