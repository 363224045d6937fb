import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useNavigate } from '@tanstack/react-router'
import { REQUEST_ID } from '@tollgate/contract'
import { useEffect } from 'react'
import { useStatus } from '../../api/status.ts'
import { useIsAdmin, useSessionUser } from '../../lib/session/session-user.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconSearch } from '../../ui/layout/icons.tsx'
import { menuFor } from './menu.ts'
import { useFound } from './palette-search.ts'

const [store, palette] = createSpotlight()

interface Props {
  word: string
  onWord: (word: string) => void
  /** The search field has the focus. */
  onFocus: () => void
  onClose: () => void
}

/** Finds any page, token, channel or user by name, and a call by its request ID. */
export function Palette({ word, onWord, onFocus, onClose }: Props) {
  const text = useText(appText)
  const user = useSessionUser()
  const navigate = useNavigate()
  const { chat_link } = useStatus()
  const found = useFound(word)
  const hint = useIsAdmin() ? text.searchEverything : text.searchPlaceholder
  useEffect(() => palette.open(), [])
  // The library selects the first entry when something is typed, before the server's results are there.
  useEffect(() => {
    if (found.length > 0) selectFirst()
  }, [found])

  const pages: SpotlightActionData[] = menuFor(user, chat_link)
    .filter(({ name }) => text.menu[name].toLowerCase().includes(word.trim().toLowerCase()))
    .map(({ to, name, icon: Icon }) => ({
      id: to,
      label: text.menu[name],
      leftSection: <Icon size={18} />,
      onClick: () => void navigate({ to }),
    }))

  const request = word.trim().toLowerCase()
  const calls = REQUEST_ID.test(request)
    ? [{ id: request, label: request, onClick: () => void navigate({ to: '/log/$request', params: { request } }) }]
    : []

  const groups = [
    { group: text.menu.log, actions: calls },
    { group: text.searchPages, actions: pages },
    ...found.map(({ name, things }) => ({
      group: text.menu[name],
      actions: things.map(({ id, label, to }) => ({
        id: `${name}-${id}`,
        label,
        onClick: () => void navigate({ to, params: { id: String(id) } }),
      })),
    })),
  ].filter(({ actions }) => actions.length > 0)

  return (
    <Spotlight
      store={store}
      actions={groups}
      query={word}
      onQueryChange={onWord}
      // The server has already filtered; a result need not contain the word in its name.
      filter={(_, actions) => actions}
      nothingFound={text.searchNothing}
      shortcut={null}
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': text.search } }}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: hint,
        'aria-label': hint,
        onFocus: ({ currentTarget }) => {
          // The word may have been typed before the dialog opened.
          currentTarget.setSelectionRange(word.length, word.length)
          onFocus()
        },
      }}
      onSpotlightClose={onClose}
    />
  )
}

/** Unless an entry is selected already. */
function selectFirst() {
  const list = document.getElementById(store.getState().listId)
  if (list === null || list.querySelector('[data-selected]') !== null) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}
