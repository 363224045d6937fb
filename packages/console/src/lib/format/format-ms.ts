/** 340 → `340 ms`, 2340 → `2.34 s`. */
export const formatMs = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`)
