import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type ElementProps<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>

/** Mantine's looks with the router's typed addresses: `<ButtonLink to="/token/add">`. */
export const AnchorLink = createLink((props: ElementProps<AnchorProps>) => <Anchor {...props} />)
export const ButtonLink = createLink((props: ElementProps<ButtonProps>) => <Button component="a" {...props} />)
