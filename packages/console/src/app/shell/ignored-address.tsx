import { useMatches, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { AddressNote } from '../../ui/feedback/address-note.tsx'

/** Read at startup: the router removes what a page does not understand, also from the address bar. */
const opened = new URLSearchParams(window.location.search)

/** Names the filters of a typed or bookmarked URL that the page had to ignore, until the user navigates on. */
export function IgnoredAddress() {
  const text = useText(commonText)
  const { routesById } = useRouter()
  const match = useMatches().at(-1)
  const schema = Object.values(routesById).find(({ id }) => id === match?.routeId)?.options.validateSearch
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const read: Record<string, unknown> = schema instanceof z.ZodObject ? schema.parse(Object.fromEntries(opened)) : {}
  const ignored = names.filter((name) => (opened.get(name) ?? '') !== '' && read[name] === undefined)
  const search: Record<string, unknown> = match?.search ?? {}
  const now = JSON.stringify([match?.pathname, names.map((name) => search[name])])
  const [first] = useState(now)
  if (ignored.length === 0 || now !== first) return null
  return (
    <AddressNote>{text.addressIgnored(ignored.map((name) => `${name}=${opened.get(name)}`).join(', '))}</AddressNote>
  )
}
