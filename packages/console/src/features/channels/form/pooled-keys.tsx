import { Group, Input, Text } from '@mantine/core'
import type { Channel } from '@tollgate/contract'
import { formatExact } from '../../../lib/format/numbers.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { ButtonLink } from '../../../ui/layout/links.tsx'

/** Links to the page with the channel's keys. With a pool, this replaces the key field. */
export function PooledKeys({ channel: { id, key_count } }: { channel: Channel }) {
  const text = useText(channelsText)
  const link = (
    <ButtonLink to="/channel/keys/$id" params={{ id: String(id) }} variant="default" size="xs">
      {key_count === 0 ? text.keysAdd : text.keysManage}
    </ButtonLink>
  )
  if (key_count === 0) return <div>{link}</div>
  return (
    <Input.Wrapper label={text.key} labelElement="div">
      <Group gap="sm">
        <Text size="sm">{text.keysOf(formatExact(key_count))}</Text>
        {link}
      </Group>
    </Input.Wrapper>
  )
}
