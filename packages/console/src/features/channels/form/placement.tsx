import { Progress, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Channel, ChannelStatus } from '@tollgate/contract'
import { useMemo } from 'react'
import { formatExact } from '../../../lib/format/numbers.ts'
import { percentText } from '../../../lib/format/share.ts'
import { useInteracted } from '../../../lib/lists/interacted.ts'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { AnchorLink } from '../../../ui/layout/links.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { placementOf } from '../queries.ts'
import type { ChannelValues } from './channel-values.ts'
import classes from './placement.module.css'
import { type SharedPlace, sharedPlaces } from './places.ts'

const PAUSE_MS = 400
const MODELS_NAMED = 6

interface PlacementProps {
  values: Pick<ChannelValues, 'type' | 'groups' | 'models' | 'model_mapping' | 'priority' | 'weight'>
  stored: Channel | undefined
}

/** The channel's future position among the others, while it is being filled in. */
export function Placement({ values, stored }: PlacementProps) {
  const { type, groups, models, model_mapping, priority, weight } = values
  const text = useText(channelsText).placement
  const id = stored?.id
  const now = useMemo(
    () => ({
      ...(id !== undefined && { id }),
      ...{ type, groups, models, model_mapping, priority: Number(priority), weight: Number(weight) },
    }),
    [id, type, groups, models, model_mapping, priority, weight],
  )
  const [body] = useDebouncedValue(now, PAUSE_MS)
  const isEmpty = groups.length === 0 || models.length === 0
  // The request uses the input after a pause, so a model is included only then.
  const isAsked = body.groups.length > 0 && body.models.length > 0
  const attended = useInteracted()
  const { data, isError } = useQuery({ ...placementOf(body), enabled: attended && isAsked })
  return (
    <Panel title={text.title}>
      {isEmpty && <p className={classes.line}>{text.empty}</p>}
      {!isEmpty && isError && <p className={classes.line}>{text.unknown}</p>}
      {!isEmpty && !isError && data === undefined && <Skeleton height={64} />}
      {!isEmpty && !isError && data !== undefined && (
        <>
          {stored !== undefined && stored.status !== ChannelStatus.enabled && (
            <p className={classes.line}>{text.disabled}</p>
          )}
          <ul className={classes.places}>
            {sharedPlaces(data.places).map((place) => (
              <Place key={`${place.group} ${place.models[0]}`} place={place} />
            ))}
          </ul>
          {data.more > 0 && <p className={classes.line}>{text.more(formatExact(data.more))}</p>}
        </>
      )}
    </Panel>
  )
}

function Place({ place: { group, models, level, levels, share, beside, names } }: { place: SharedPlace }) {
  const text = useText(channelsText).placement
  const [first = ''] = models
  const neighbours = names.join(text.comma)
  const words = [
    levels === 1 && beside === 0 ? text.alone : text.level(level, levels),
    ...(beside > 0 ? [beside > names.length ? text.besideMany(neighbours, beside) : text.beside(neighbours)] : []),
    ...(share === 0 ? [text.waits] : []),
  ]
  return (
    <li>
      <div className={classes.head}>
        <AnchorLink to="/route" search={{ group, model: first }} target="_blank" inherit>
          {group}
        </AnchorLink>
        <span className={classes.share}>{text.share(percentText(share))}</span>
      </div>
      <Progress value={share * 100} aria-label={`${group}, ${first}: ${text.share(percentText(share))}`} />
      <div className={classes.words}>{words.join(' · ')}</div>
      <div className={classes.models}>
        {models.slice(0, MODELS_NAMED).join(text.comma)}
        {models.length > MODELS_NAMED && text.andOthers(formatExact(models.length - MODELS_NAMED))}
      </div>
    </li>
  )
}
