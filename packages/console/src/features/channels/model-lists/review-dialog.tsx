import { Alert, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ModelListChange, ModelListDetail } from '@tollgate/contract'
import { useState } from 'react'
import { formatTimestamp } from '../../../lib/format/time.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../../ui/feedback/dialog-buttons.tsx'
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { IconAlertTriangle, IconRefresh } from '../../../ui/layout/icons.tsx'
import { AcceptPreview } from './accept-preview.tsx'
import { changeOf, isNothing } from './list-changes.ts'
import { ModelChecks } from './model-checks.tsx'
import { modelListOf, useCheckModelList, useIgnore } from './queries.ts'
import classes from './review-dialog.module.css'

/** The changes in one channel's model list, model by model. */
export function ReviewDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const text = useText(modelListsText)
  const [accepting, setAccepting] = useState<ModelListChange>()
  const { data, error, refetch } = useQuery(modelListOf(id))
  if (accepting !== undefined) {
    return (
      <Dialog title={text.accept} size="lg" onClose={onClose}>
        <AcceptPreview changes={[accepting]} onBack={() => setAccepting(undefined)} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title={text.title(data?.name ?? '')} size="lg" onClose={onClose}>
      {error !== null && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={160} />}
      {data && <Review key={data.looked_at} list={data} onAccept={setAccepting} onClose={onClose} />}
    </Dialog>
  )
}

interface ReviewProps {
  list: ModelListDetail
  onAccept: (change: ModelListChange) => void
  onClose: () => void
}

/** New changes are selected at first. */
function Review({ list, onAccept, onClose }: ReviewProps) {
  const text = useText(modelListsText)
  const inLanguage = useContractText()
  const look = useCheckModelList()
  const ignore = useIgnore()
  const news = changeOf(list)
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set(news.added))
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set(news.missing))
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const chosen = { id: list.id, added: [...added, ...others], missing: [...missing, ...kept] }
  const undecided = { id: list.id, added: [...added], missing: [...missing] }
  const { id, looked_at, listed_at, error } = list
  const isUnchanged = [list.added, list.missing, list.others, list.kept].every(({ length }) => length === 0)
  return (
    <div className={classes.body}>
      <div className={classes.head}>
        <span>{looked_at === 0 ? text.first : text.lookedOf(formatTimestamp(looked_at))}</span>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={look.isPending}
          onClick={() => look.mutate(id)}
        >
          {text.look}
        </Button>
      </div>
      {error !== null && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
          {text.failedBecause(inLanguage(error))}
          {listed_at > 0 && ` ${text.listedAt(formatTimestamp(listed_at))}`}
        </Alert>
      )}
      {isUnchanged && listed_at > 0 && error === null && <span>{text.nothing}</span>}
      <ModelChecks title={text.groups.added} models={list.added} checked={added} onChange={setAdded} />
      <ModelChecks title={text.groups.missing} models={list.missing} checked={missing} onChange={setMissing} />
      <ModelChecks title={text.groups.others} models={list.others} checked={others} onChange={setOthers} />
      <ModelChecks title={text.groups.kept} models={list.kept} checked={kept} onChange={setKept} />
      <DialogButtons onCancel={onClose}>
        {!isNothing(news) && (
          <Button
            variant="default"
            disabled={isNothing(undecided)}
            loading={ignore.isPending}
            onClick={() =>
              ignore.mutate([undecided], {
                onSuccess: () => {
                  toast.success(text.ignored)
                  onClose()
                },
              })
            }
          >
            {text.ignore}
          </Button>
        )}
        {!isUnchanged && (
          <Button disabled={isNothing(chosen)} onClick={() => onAccept(chosen)}>
            {text.preview}
          </Button>
        )}
      </DialogButtons>
    </div>
  )
}
