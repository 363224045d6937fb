import classes from './data-table.module.css'

interface RowBoxProps {
  label: string
  checked: boolean
  onToggle: (range: boolean) => void
}

/** A plain checkbox: a hundred of a component library would be slow. */
export function RowBox({ label, checked, onToggle }: RowBoxProps) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={checked}
      onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
