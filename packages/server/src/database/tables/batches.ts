export interface FileRow {
  id: string
  user_id: number
  token_id: number
  channel_id: number
  channel_key_id: number | null
  upstream_id: string
  purpose: string
  filename: string
  bytes: number
  /** The plan of a batch file's lines, as JSON; empty for others. */
  plan: string
  created_at: number
}

export interface BatchRow {
  /** The id of its hold, too. */
  id: string
  kind: string
  user_id: number
  token_id: number
  channel_id: number
  channel_key_id: number | null
  upstream_id: string
  input_file_id: string
  output_file_id: string
  error_file_id: string
  status: string
  plan: string
  amount: number
  /** The vendor's latest answer, as JSON. */
  body: string
  created_at: number
  settled_at: number | null
  /** How often in a row the vendor did not know it, and since when. */
  unknown_times: number
  unknown_since: number | null
}
