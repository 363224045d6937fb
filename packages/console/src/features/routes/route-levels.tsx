import { Button, VisuallyHidden } from '@mantine/core'
import type { RouteChannel, RouteLevel, RoutingPolicy } from '@tollgate/contract'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatExact } from '../../lib/format/numbers.ts'
import { percentText } from '../../lib/format/share.ts'
import { routesText } from '../../text/routes.ts'
import { useText } from '../../text/text.ts'
import { RouteCard, stepId } from './route-card.tsx'
import { shownOf } from './route-folds.ts'
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
  const levels = useMemo(() => arrange(stored, edits, policy), [stored, edits, policy])
  const before = useMemo(() => byId(stored), [stored])
  const isFixed = policy === 'cheapest'
  const [said, setSaid] = useState('')
  const focus = useRef<{ channel: number; step: 'up' | 'down' }>(undefined)
  // Where no channel can be used now, the top level is still the first to be tried.
  const first = Math.max(
    0,
    levels.findIndex(({ channels }) => channels.some(({ reason }) => reason === null)),
  )
  const keyOf = ({ group, priority }: RouteLevel, index: number) =>
    `${group} ${isFixed ? numberOf(levels, index) : priority}`
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const shown = shownOf(levels, {
    isOpen: (level, index) => opened.has(keyOf(level, index)),
    isTouched: (channel) => edits.has(channel),
  })
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

  // The same functions in every render, so that a card is rendered again only when it changes.
  const now = useRef({ levels, edits, put, onEdits })
  now.current = { levels, edits, put, onEdits }
  const [{ onStep, onWeight }] = useState(() => ({
    onStep: (channel: number, step: 'up' | 'down') => {
      const target = stepOf(now.current.levels, channel, step)
      if (target === undefined) return
      focus.current = { channel, step }
      now.current.put(channel, target)
    },
    onWeight: ({ channel, priority }: RouteChannel, weight: number) =>
      now.current.onEdits(new Map(now.current.edits).set(channel, { priority, weight })),
  }))
  const steps = useMemo(() => (isFixed ? NO_STEPS : stepsOf(levels)), [levels, isFixed])

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
      {levels.map((level, index) => {
        const { group, priority, channels } = level
        const cards = shown[index] ?? []
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
                <span className={classes.muted}>
                  {index < first ? text.skippedLevel : index === first ? text.firstLevel : text.laterLevel}
                </span>
              </div>
              <ul className={classes.cards}>
                {cards.map((channel) => (
                  <RouteCard
                    key={channel.channel}
                    channel={channel}
                    changed={isChanged(before.get(channel.channel), channel)}
                    dragged={dragged?.channel === channel.channel}
                    handleOf={isFixed ? undefined : handleOf}
                    canUp={steps.get(channel.channel)?.up ?? false}
                    canDown={steps.get(channel.channel)?.down ?? false}
                    onStep={onStep}
                    onWeight={onWeight}
                  />
                ))}
              </ul>
              {cards.length < channels.length && (
                <Button
                  variant="default"
                  size="xs"
                  mt={cards.length === 0 ? 0 : 'xs'}
                  onClick={() => setOpened(new Set(opened).add(keyOf(level, index)))}
                >
                  {text.showAll(formatExact(channels.length))}
                </Button>
              )}
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

const byId = (levels: readonly RouteLevel[]) =>
  new Map(levels.flatMap(({ channels }) => channels).map((channel) => [channel.channel, channel]))

const isChanged = (before: RouteChannel | undefined, now: RouteChannel) =>
  before?.priority !== now.priority || before.weight !== now.weight

const NO_STEPS: ReadonlyMap<number, { up: boolean; down: boolean }> = new Map()

/** Which channels can go up or down. */
const stepsOf = (levels: readonly RouteLevel[]) =>
  new Map(
    levels
      .flatMap(({ channels }) => channels)
      .map(({ channel }) => [
        channel,
        { up: stepOf(levels, channel, 'up') !== undefined, down: stepOf(levels, channel, 'down') !== undefined },
      ]),
  )

function button(channel: number, step: 'up' | 'down') {
  const element = document.getElementById(stepId(channel, step))
  return element instanceof HTMLButtonElement ? element : undefined
}
