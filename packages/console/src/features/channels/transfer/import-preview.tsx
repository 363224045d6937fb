import { Alert, Button, Group, Text } from '@mantine/core'
import type { ImportedRow, ImportResult } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { channelTransferText } from '../../../text/channel-transfer.ts'
import { useContractText } from '../../../text/contract-text.ts'
import { useText } from '../../../text/text.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channel-transfer.ts'
import { IconAlertTriangle } from '../../../ui/layout/icons.tsx'
import { orphanedText } from '../list/orphaned-text.ts'
import classes from './import-preview.module.css'
import { shownRows } from './import-rows.ts'

interface ImportPreviewProps {
  result: ImportResult
  busy: boolean
  onBack: () => void
  onApply: () => void
}

/** How many channels are created and changed, each of them, and which rows are rejected and why. */
export function ImportPreview({ result, busy, onBack, onApply }: ImportPreviewProps) {
  const text = useText(channelTransferText)
  const inLanguage = useContractText()
  const { refused, carried, more } = shownRows(result.rows)
  const count = result.created + result.changed
  const warning = orphanedText(result, useText(channelListText))
  return (
    <div className={classes.preview}>
      <Text size="sm">
        {text.summary(formatExact(result.created), formatExact(result.changed), formatExact(result.kept))}
      </Text>
      {warning !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
          {warning}
        </Alert>
      )}
      {refused.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="status">
          {text.refused(formatExact(result.refused))}
          <ul className={classes.reasons}>
            {refused.map(({ row, name, reason }) => (
              <li key={row}>
                {text.row(row, name)} · {reason !== null && inLanguage(reason)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {carried.length > 0 && (
        <ul className={classes.rows}>
          {carried.map((row) => (
            <li key={row.row}>
              <div>{text.row(row.row, row.name)}</div>
              {factsOf(row, text).map((fact) => (
                <div key={fact} className={classes.facts}>
                  {fact}
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {text.andOthers(formatExact(more))}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          {text.back}
        </Button>
        {count > 0 && (
          <Button loading={busy} onClick={onApply}>
            {text.apply(formatExact(count))}
          </Button>
        )}
      </Group>
    </div>
  )
}

function factsOf({ action, fields, without_key, without_headers }: ImportedRow, text: Words<typeof zh>) {
  const names: Readonly<Record<string, string>> = text.fields
  return [
    action === 'create' ? text.creates : text.changes(fields.map((field) => names[field] ?? field).join(text.comma)),
    ...(without_key ? [text.withoutKey] : []),
    ...(without_headers.length > 0 ? [text.withoutHeaders(without_headers.join(text.comma))] : []),
  ]
}
