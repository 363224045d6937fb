import { Alert, Text } from '@mantine/core'
import type { BulkResult, ChangedChannel } from '@tollgate/contract'
import { channelStatusLabel } from '../../../lib/format/labels.ts'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelsText } from '../../../text/channels.ts'
import { labelsText } from '../../../text/labels.ts'
import { useText } from '../../../text/text.ts'
import { IconAlertTriangle } from '../../../ui/layout/icons.tsx'
import classes from './bulk-preview.module.css'
import { type FieldChange, fieldChanges } from './bulk-values.ts'
import { orphanedText } from './orphaned-text.ts'

/** The number of changed channels, details of the first ones, and models that no channel would offer any more. */
export function BulkOutcome({ result }: { result: BulkResult }) {
  const { matched, changed, channels } = result
  const text = useText(channelListText)
  const warning = orphanedText(result, text)
  return (
    <>
      <Text size="sm">{text.willChange(formatExact(changed), formatExact(matched))}</Text>
      {warning !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
          {warning}
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

function ChangeOf({ channel }: { channel: ChangedChannel }) {
  const text = useText(channelListText)
  const words = useText(channelsText)
  const labels = useText(labelsText)
  const { id, name, models_added, models_removed, mapping, proxy_login } = channel
  const valueText = ({ field }: FieldChange, value: string | number) =>
    field === 'status' ? channelStatusLabel(Number(value), labels).text : value === '' ? text.none : String(value)
  const facts = [
    ...fieldChanges(channel).map((change) =>
      text.fromTo(words[change.field], valueText(change, change.before), valueText(change, change.after)),
    ),
    ...(models_added.length > 0 ? [text.modelsAdded(models_added.join(text.comma))] : []),
    ...(models_removed.length > 0 ? [text.modelsRemoved(models_removed.join(text.comma))] : []),
    ...mapping.map(({ model, before, after }) => text.mappingChange(model, before ?? text.none, after ?? text.none)),
    ...(proxy_login ? [text.proxyLogin] : []),
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
