/** Every storage key of the console. None of them ever holds a secret. */
export type StorageKey =
  | 'user'
  | 'status'
  | 'aff'
  | 'quota_per_unit'
  | 'display_in_currency'
  | 'system_name'
  | 'logo'
  | 'footer_html'
  | 'channel_models'
  | 'locale'
  | 'color_scheme'
  | 'home_scope'
  | 'log_columns'
  | 'log_page_size'
  | 'channel_columns'
  | 'channel_page_size'
  | 'list_page_size'
  | `prompt-${string}`

/** Lives as long as the tab: kept on reload, but not for another day. */
export type TabKey = 'sidebar' | 'default_password' | 'drafts'

export const stored = access<StorageKey>(() => localStorage)
export const inTab = access<TabKey>(() => sessionStorage)

function access<Key extends string>(open: () => Storage) {
  // A browser may refuse storage altogether (private modes, policies). The console then works without memory.
  const remembered = new Map<string, string>()
  const attempt = <T>(work: (storage: Storage) => T, otherwise: () => T) => {
    try {
      return work(open())
    } catch {
      return otherwise()
    }
  }
  return {
    read: (key: Key) =>
      attempt(
        (storage) => storage.getItem(key),
        () => remembered.get(key) ?? null,
      ),
    write: (key: Key, value: string) =>
      attempt(
        (storage) => storage.setItem(key, value),
        () => void remembered.set(key, value),
      ),
    remove: (key: Key) =>
      attempt(
        (storage) => storage.removeItem(key),
        () => void remembered.delete(key),
      ),
    /** The parsed content, or undefined when there is none or it is not JSON. */
    readJson: (key: Key): unknown => {
      const text = attempt(
        (storage) => storage.getItem(key),
        () => remembered.get(key) ?? null,
      )
      if (text === null) return undefined
      try {
        return JSON.parse(text)
      } catch {
        return undefined
      }
    },
  }
}
