import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import type { Part } from './programs/program.ts'
import classes from './settings-part.module.css'

interface SettingsPartProps {
  /** As shown, and the same with the real key. */
  part: Part
  copied: Part
  /** Values in the code to highlight. */
  marks: readonly string[]
}

/** One step: what to do, and what to paste. */
export function SettingsPart({ part, copied, marks }: SettingsPartProps) {
  const text = useText(connectText)
  const task = text.task[part.task]
  const help = text.taskHelp[part.task]
  return (
    <li className={classes.step}>
      <h3 className={classes.title}>{task}</h3>
      {help !== '' && <p className={classes.help}>{help}</p>}
      {part.task === 'fill' ? (
        <FieldList part={part} copied={copied} />
      ) : (
        <CodeBlock
          name={part.file ?? text.language[part.language]}
          label={text.copyOf(part.file ?? task)}
          code={part.code}
          copied={'code' in copied ? copied.code : part.code}
          marks={marks}
          done={'code' in copied && copied.code !== part.code ? text.copied : text.copiedPlain}
        />
      )}
    </li>
  )
}

type FilledIn = Extract<Part, { task: 'fill' }>

function FieldList({ part, copied }: { part: FilledIn; copied: Part }) {
  const text = useText(connectText)
  const values = copied.task === 'fill' ? copied.fields : part.fields
  return (
    <dl className={classes.fields}>
      {part.fields.map(({ label, value }, index) => (
        <div key={label} className={classes.field}>
          <dt>{text.field[label]}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton
              value={values[index]?.value ?? value}
              label={text.copyOf(text.field[label])}
              done={label === 'key' ? text.copied : text.copiedPlain}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
