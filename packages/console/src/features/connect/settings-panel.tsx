import { Anchor, Tabs } from '@mantine/core'
import type { Token } from '@tollgate/contract'
import { useState } from 'react'
import { maskedKey } from '../../lib/session/full-key.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { IconExternalLink, IconInfoCircle } from '../../ui/layout/icons.tsx'
import { ProgramIcon } from './program-icon.tsx'
import type { Facts, Program, VariantName } from './programs/program.ts'
import { PROTOCOLS } from './protocols.ts'
import classes from './settings-panel.module.css'
import { SettingsPart } from './settings-part.tsx'

interface SettingsPanelProps {
  program: Program
  token: Token
  facts: Facts
}

/** The settings of one program, step by step: with a masked key on the screen, and the real one in what is copied. */
export function SettingsPanel({ program, token, facts }: SettingsPanelProps) {
  const text = useText(connectText)
  const [wanted, setWanted] = useState<VariantName>(ownSystem)
  const variant = program.variants.find(({ name }) => name === wanted) ?? program.variants[0]
  const protocol = PROTOCOLS[program.protocol]
  const shown = { ...facts, key: maskedKey(token.key) }
  const copied = variant.parts(facts)
  const marks = [facts.address, shown.key, facts.model]
  const parts = variant.parts(shown)
  return (
    <section className={classes.panel} aria-labelledby="connect-program">
      <div className={classes.head}>
        <ProgramIcon id={program.id} size={40} />
        <div className={classes.about}>
          <h2 id="connect-program" className={classes.title}>
            {program.name}
          </h2>
          <p className={classes.protocol}>
            {protocol.name}
            <code>POST {protocol.path(facts.model)}</code>
          </p>
        </div>
        <Anchor href={program.docs} target="_blank" rel="noreferrer" size="sm" className={classes.docs ?? ''}>
          {text.docs}
          <IconExternalLink size={14} />
        </Anchor>
      </div>
      {!protocol.native.test(facts.model) && (
        <p className={classes.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{text.translated(program.name, protocol.name, facts.model)}</span>
        </p>
      )}
      <Tabs
        value={variant.name}
        onChange={(name) => setWanted(program.variants.find((each) => each.name === name)?.name ?? wanted)}
      >
        {program.variants.length > 1 && (
          <Tabs.List className={classes.variants ?? ''} aria-label={text.variants}>
            {program.variants.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {text.variant[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        <Tabs.Panel value={variant.name}>
          <ol className={classes.steps}>
            {parts.map((part, index) => (
              // The order of the parts is fixed, and each occurs once.
              <SettingsPart key={part.task} part={part} copied={copied[index] ?? part} marks={marks} />
            ))}
          </ol>
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

/** Most people configure a program on the machine they are using. */
const ownSystem = (): VariantName => (/Win/.test(navigator.userAgent) ? 'windows' : 'unix')
