import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RouteChange } from '@tollgate/contract'
import { formatExact } from '../../lib/format/numbers.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { DialogButtons } from '../../ui/feedback/dialog-buttons.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { IconAlertTriangle } from '../../ui/layout/icons.tsx'
import { changePreview, type RouteQuery, useChangeRoute } from './queries.ts'
import type { changesOf } from './route-order.ts'
import classes from './routes.module.css'

interface ChangeDialogProps {
  query: RouteQuery
  changes: ReturnType<typeof changesOf>
  onClose: () => void
  onSaved: () => void
}

const ELSEWHERE_SHOWN = 5

/** The pending change and its side effects; then the change itself. */
export function ChangeDialog({ query, changes, onClose, onSaved }: ChangeDialogProps) {
  const text = useText(routesText)
  const { data, error } = useQuery(changePreview({ ...query, changes }))
  const save = useChangeRoute()
  const apply = () =>
    save.mutate(
      { ...query, changes },
      {
        onSuccess: () => {
          toast.success(text.saved)
          onSaved()
        },
      },
    )
  return (
    <Dialog title={text.reviewTitle} size="lg" onClose={onClose}>
      <Stack>
        {error !== null && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        {data === undefined && error === null && <Skeleton height={96} />}
        {data !== undefined && <Changes change={data} />}
        <DialogButtons onCancel={onClose}>
          {data !== undefined && (
            <Button loading={save.isPending} onClick={apply} data-autofocus>
              {text.save(formatExact(data.changed.length))}
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

function Changes({ change: { changed, elsewhere, elsewhere_count } }: { change: RouteChange }) {
  const text = useText(routesText)
  const names = elsewhere.slice(0, ELSEWHERE_SHOWN).map(({ group, model }) => text.modelOfGroup(model, group))
  return (
    <>
      <ul className={classes.rows}>
        {changed.map(({ id, name, before, after }) => (
          <li key={id}>
            <div>{text.channelOf(id, name)}</div>
            <div className={classes.muted}>
              {(['priority', 'weight'] as const)
                .filter((field) => before[field] !== after[field])
                .map((field) => text.fromTo(text[field], formatExact(before[field]), formatExact(after[field])))
                .join(' · ')}
            </div>
          </li>
        ))}
      </ul>
      {elsewhere_count > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
          {text.elsewhere(formatExact(elsewhere_count), names.join(text.comma))}
          {elsewhere_count > names.length && text.andMore}
        </Alert>
      )}
    </>
  )
}
