import { ActionIcon, Tooltip } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './icon-button.module.css'

interface IconAnchorProps extends Omit<ComponentPropsWithRef<'a'>, 'color' | 'style'> {
  /** For the tooltip and screen readers. */
  label: string
  children: ReactNode
}

function IconAnchor({ label, children, ...props }: IconAnchorProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon component="a" className={classes.button} variant="subtle" color="gray" aria-label={label} {...props}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** Like IconButton, but a link, so that it can be opened in another tab. */
export const IconLink = createLink(IconAnchor)
