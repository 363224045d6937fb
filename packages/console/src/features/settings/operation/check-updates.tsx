import { Alert, Anchor, Button, Group } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { latestRelease, type Release, releasesPage } from '../../../api/latest-release.ts'
import { useStatus } from '../../../api/status.ts'
import { useSend } from '../../../api/use-send.ts'
import { commonText } from '../../../text/common.ts'
import { settingsText } from '../../../text/settings.ts'
import { useText } from '../../../text/text.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { isNewer } from './newer-version.ts'

const SafeMarkdown = lazy(() =>
  import('../../../ui/display/safe-markdown.tsx').then((file) => ({ default: file.SafeMarkdown })),
)

/** Queries the code host for the newest release, on demand and if the operator configured a repository. */
export function CheckUpdates() {
  const text = useText(settingsText).updates
  const { version, releases_repository } = useStatus()
  if (releases_repository !== '') return <AskForRelease version={version} repository={releases_repository} />
  return (
    <>
      <p>{text.current(version)}</p>
      <Alert color="gray" role="status">
        {text.noSource}
      </Alert>
    </>
  )
}

function AskForRelease({ version, repository }: { version: string; repository: string }) {
  const text = useText(settingsText).updates
  // The result is shown here; a toast would repeat it.
  const check = useSend({ mutationFn: () => latestRelease(repository), meta: { silent: true } })
  const newer = check.data !== undefined && isNewer(check.data.tag_name, version) ? check.data : undefined
  return (
    <>
      <Group gap="sm">
        <span>{text.current(version)}</span>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {text.check}
        </Button>
      </Group>
      {check.isError && (
        <Alert mt="sm" color="yellow" role="alert">
          {text.failed}{' '}
          <Anchor href={releasesPage(repository)} target="_blank" rel="noopener noreferrer">
            {text.open}
          </Anchor>
        </Alert>
      )}
      {check.isSuccess && newer === undefined && (
        <Alert mt="sm" color="green" role="status">
          {check.data === undefined ? text.none : text.latest(version)}
        </Alert>
      )}
      {newer && <ReleaseDialog release={newer} onClose={check.reset} />}
    </>
  )
}

function ReleaseDialog({ release, onClose }: { release: Release; onClose: () => void }) {
  const text = useText(settingsText).updates
  const common = useText(commonText)
  return (
    <Dialog onClose={onClose} size="lg" title={text.found(release.tag_name)}>
      <Suspense>
        <SafeMarkdown source={release.body ?? ''} />
      </Suspense>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {common.close}
        </Button>
        <Button component="a" href={release.html_url} target="_blank" rel="noopener noreferrer">
          {text.details}
        </Button>
      </Group>
    </Dialog>
  )
}
