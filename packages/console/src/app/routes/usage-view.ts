import { word } from '../../lib/lists/list-search.ts'

/** Range, metric and split: the pages validate them, so that other pages need not load that code. */
export const usageView = { range: word, from: word, to: word, metric: word, split: word }
