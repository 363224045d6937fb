import { NativeSelect, UnstyledButton } from '@mantine/core'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import classes from './program-choice.module.css'
import { ProgramIcon } from './program-icon.tsx'
import type { Program } from './programs/program.ts'
import { GROUPS, PROGRAMS } from './programs/programs.ts'

interface ProgramChoiceProps {
  program: Program
  onChoose: (id: string) => void
}

/** A side list on wide screens, a select elsewhere. */
export function ProgramChoice({ program, onChoose }: ProgramChoiceProps) {
  const text = useText(connectText)
  const groups = GROUPS.map((name) => ({ name, programs: PROGRAMS.filter(({ group }) => group === name) }))
  return (
    <div className={classes.choice}>
      <NativeSelect
        className={classes.select ?? ''}
        label={text.program}
        value={program.id}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        data={groups.map(({ name, programs }) => ({
          group: text.group[name],
          items: programs.map((each) => ({ value: each.id, label: each.name })),
        }))}
      />
      <nav className={classes.list} aria-label={text.programs}>
        {groups.map(({ name, programs }) => (
          <div key={name}>
            <h2 className={classes.group}>{text.group[name]}</h2>
            <ul className={classes.programs}>
              {programs.map((each) => (
                <li key={each.id}>
                  <UnstyledButton
                    className={classes.program ?? ''}
                    aria-current={each.id === program.id}
                    onClick={() => onChoose(each.id)}
                  >
                    <ProgramIcon id={each.id} />
                    {each.name}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  )
}
