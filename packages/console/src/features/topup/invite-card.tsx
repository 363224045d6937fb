import { Button, Skeleton, TextInput } from '@mantine/core'
import { useText } from '../../text/text.ts'
import { topupText } from '../../text/topup.ts'
import { copy } from '../../ui/feedback/copy.ts'
import { IconCopy } from '../../ui/layout/icons.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './topup-page.module.css'

export function InviteCard({ code }: { code: string | undefined }) {
  const text = useText(topupText)
  const link = `${window.location.origin}/register?aff=${encodeURIComponent(code ?? '')}`
  return (
    <Panel title={text.invite}>
      <p className={classes.help}>{text.inviteHelp}</p>
      {code === undefined ? (
        <Skeleton height={34} />
      ) : (
        <div className={classes.line} data-stacked>
          <TextInput
            aria-label={text.inviteLink}
            value={link}
            readOnly
            variant="filled"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            variant="default"
            leftSection={<IconCopy size={16} />}
            onClick={() => void copy(link, { done: text.inviteCopied })}
          >
            {text.copyInvite}
          </Button>
        </div>
      )}
    </Panel>
  )
}
