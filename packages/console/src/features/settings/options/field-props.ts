/** What every field of an option gets, whatever it looks like. */
export interface FieldProps {
  label: string
  description?: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}
