import { Alert, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BulkResult, ChangedChannel, ChannelChange } from '@tollgate/contract'
import { channelStatusLabel } from '../../../lib/labels.ts'
import { formatExact } from '../../../lib/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { labelsText } from '../../../text/labels.ts'
import { useText } from '../../../text/text.ts'
import { IconAlertTriangle } from '../../../ui/layout/icons.tsx'
import { bulkPreview, type ChannelSelection } from '../queries.ts'
import classes from './bulk-bar.module.css'
import { type FieldChange, fieldChanges } from './bulk-values.ts'

interface BulkPreviewProps {
  selection: ChannelSelection
  change: ChannelChange
  danger: boolean
  busy: boolean
  onBack: () => void
  onApply: (ids: number[]) => void
}

/** How many channels change, the first of them one by one, and what nobody would offer any more. */
export function BulkPreview({ selection, change, danger, busy, onBack, onApply }: BulkPreviewProps) {
  const text = useText(channelListText)
  const common = useText(commonText)
  const { data, error } = useQuery(bulkPreview(selection, change))
  return (
    <div className={classes.preview}>
      {error !== null && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data && <Result result={data} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          {common.cancel}
        </Button>
        {data && data.changed > 0 && (
          <Button {...(danger && { color: 'red' })} loading={busy} onClick={() => onApply(data.ids)}>
            {danger ? text.applyRemove(formatExact(data.changed)) : text.apply(formatExact(data.changed))}
          </Button>
        )}
      </Group>
    </div>
  )
}

function Result({ result: { matched, changed, channels, orphaned, orphaned_count } }: { result: BulkResult }) {
  const text = useText(channelListText)
  return (
    <>
      <Text size="sm">{text.willChange(formatExact(changed), formatExact(matched))}</Text>
      {orphaned_count > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
          {text.orphaned(
            formatExact(orphaned_count),
            orphaned
              .slice(0, ORPHANS_NAMED)
              .map(({ group, model }) => text.modelOfGroup(model, group))
              .join(text.comma),
          )}
        </Alert>
      )}
      {channels.length > 0 && (
        <ul className={classes.changes}>
          {channels.map((channel) => (
            <li key={channel.id}>
              <ChangeOf channel={channel} />
            </li>
          ))}
        </ul>
      )}
      {changed > channels.length && (
        <Text size="sm" c="dimmed">
          {text.andOthers(formatExact(changed - channels.length))}
        </Text>
      )}
    </>
  )
}

const ORPHANS_NAMED = 5

function ChangeOf({ channel }: { channel: ChangedChannel }) {
  const text = useText(channelListText)
  const words = useText(channelsText)
  const labels = useText(labelsText)
  const { id, name, models_added, models_removed } = channel
  const valueText = ({ field }: FieldChange, value: string | number) =>
    field === 'status' ? channelStatusLabel(Number(value), labels).text : value === '' ? text.none : String(value)
  const facts = [
    ...fieldChanges(channel).map((change) =>
      text.fromTo(words[change.field], valueText(change, change.before), valueText(change, change.after)),
    ),
    ...(models_added.length > 0 ? [text.modelsAdded(models_added.join(text.comma))] : []),
    ...(models_removed.length > 0 ? [text.modelsRemoved(models_removed.join(text.comma))] : []),
  ]
  return (
    <>
      <div>{text.channelOf(id, name)}</div>
      {facts.map((fact) => (
        <div key={fact} className={classes.facts}>
          {fact}
        </div>
      ))}
    </>
  )
}
