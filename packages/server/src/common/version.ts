import manifest from '../../../../package.json'

export const VERSION = `v${manifest.version}`
