/** The props of every option field. */
export interface FieldProps {
  label: string
  description?: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}
