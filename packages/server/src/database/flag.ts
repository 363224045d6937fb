/** A boolean column: SQLite has no boolean type. */
export type Flag = 0 | 1
