/** Flags of `tollgate import`; the others are common to every command. In a file of its own, which loads nothing. */
export const IMPORT_FLAGS = ['logs', 'yes']
