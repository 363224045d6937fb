import { VisuallyHidden } from '@mantine/core'
import type { RouteLevel, RoutingPolicy } from '@tollgate/contract'
import { useLayoutEffect, useRef, useState } from 'react'
import { formatExact } from '../../lib/numbers.ts'
import { percentText } from '../../lib/share.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { RouteCard, stepId } from './route-card.tsx'
import { arrange, type Edits, move, stepOf, type Target } from './route-order.ts'
import classes from './routes.module.css'
import { dropOf, isSameTarget, useRouteDrag } from './use-route-drag.ts'

interface RouteLevelsProps {
  /** The stored order. */
  stored: readonly RouteLevel[]
  policy: RoutingPolicy
  edits: Edits
  onEdits: (edits: Edits) => void
}

/** The order from top to bottom: levels, and in each the channels among which a call draws. */
export function RouteLevels({ stored, policy, edits, onEdits }: RouteLevelsProps) {
  const text = useText(routesText)
  const levels = arrange(stored, edits, policy)
  const isFixed = policy === 'cheapest'
  const [said, setSaid] = useState('')
  const focus = useRef<{ channel: number; step: 'up' | 'down' }>(undefined)
  const severalGroups = new Set(levels.map(({ group }) => group)).size > 1

  const put = (channel: number, target: Target) => {
    const next = move(levels, edits, channel, target)
    onEdits(next)
    const after = arrange(stored, next, policy)
    const at = after.findIndex(({ channels }) => channels.some((each) => each.channel === channel))
    const own = after[at]?.channels.find((each) => each.channel === channel)
    if (own !== undefined) setSaid(text.moved(own.name, numberOf(after, at), percentText(own.share)))
  }
  const { dragged, handleOf } = useRouteDrag(put)

  // In another level it is a new element, so the pressed button would lose the focus.
  useLayoutEffect(() => {
    if (focus.current === undefined) return
    const { channel, step } = focus.current
    focus.current = undefined
    const [same, other] = [button(channel, step), button(channel, step === 'up' ? 'down' : 'up')]
    if (same?.disabled === false) same.focus()
    else other?.focus()
  })

  const stepping = (channel: number, step: 'up' | 'down') => {
    const target = stepOf(levels, channel, step)
    if (isFixed || target === undefined) return undefined
    return () => {
      focus.current = { channel, step }
      put(channel, target)
    }
  }

  const gap = (target: Target) => (
    <div
      className={classes.gap}
      data-active={dragged !== undefined || undefined}
      data-over={isSameTarget(target, dragged?.over) || undefined}
      {...dropOf(target)}
    >
      {dragged !== undefined && text.newLevel}
    </div>
  )

  return (
    <div className={classes.levels}>
      {levels.map(({ group, priority, channels }, index) => {
        const number = numberOf(levels, index)
        const isLast = levels[index + 1]?.group !== group
        const into: Target = { group, level: number - 1 }
        const title = severalGroups
          ? text.levelOfGroup(group, number, formatExact(priority))
          : text.levelOf(number, formatExact(priority))
        return (
          <div key={`${group} ${number} ${isFixed ? '' : priority}`}>
            {gap({ group, before: number - 1 })}
            <section
              className={classes.level}
              aria-label={title}
              data-over={isSameTarget(into, dragged?.over) || undefined}
              {...dropOf(into)}
            >
              <div className={classes.levelHead}>
                <h3 className={classes.levelTitle}>{title}</h3>
                <span className={classes.muted}>{index === 0 ? text.firstLevel : text.laterLevel}</span>
              </div>
              <ul className={classes.cards}>
                {channels.map((channel) => (
                  <RouteCard
                    key={channel.channel}
                    channel={channel}
                    changed={isChanged(stored, channel)}
                    dragged={dragged?.channel === channel.channel}
                    handle={isFixed ? undefined : handleOf(channel.channel, channel.name)}
                    onUp={stepping(channel.channel, 'up')}
                    onDown={stepping(channel.channel, 'down')}
                    onWeight={(weight) =>
                      onEdits(new Map(edits).set(channel.channel, { priority: channel.priority, weight }))
                    }
                  />
                ))}
              </ul>
            </section>
            {isLast && gap({ group, before: number })}
          </div>
        )
      })}
      {dragged !== undefined && (
        <div className={classes.ghost} style={{ left: dragged.x, top: dragged.y }} aria-hidden>
          {dragged.name}
        </div>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  )
}

/** The number of a level within its group, from 1. */
const numberOf = (levels: readonly RouteLevel[], index: number) =>
  levels.slice(0, index + 1).filter(({ group }) => group === levels[index]?.group).length

function isChanged(stored: readonly RouteLevel[], now: RouteLevel['channels'][number]) {
  const before = stored.flatMap(({ channels }) => channels).find(({ channel }) => channel === now.channel)
  return before?.priority !== now.priority || before.weight !== now.weight
}

function button(channel: number, step: 'up' | 'down') {
  const element = document.getElementById(stepId(channel, step))
  return element instanceof HTMLButtonElement ? element : undefined
}
