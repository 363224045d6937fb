import { anthropic } from './anthropic/anthropic.ts'
import * as vendors from './compatible/vendors.ts'
import { gemini } from './gemini/gemini.ts'
import type { Provider } from './provider.ts'

/** Channel type → how its vendor speaks. The only list of vendors. */
const REGISTRY: ReadonlyMap<number, Provider> = new Map([
  [1, vendors.openai],
  [2, vendors.api2d],
  [4, vendors.closeai],
  [5, vendors.openaiSb],
  [6, vendors.openaiMax],
  [7, vendors.ohmygpt],
  [8, vendors.custom],
  [9, vendors.ails],
  [10, vendors.aiproxy],
  [12, vendors.api2gpt],
  [13, vendors.aigc2d],
  [14, anthropic],
  [19, vendors.zhinao],
  [20, vendors.openrouter],
  [22, vendors.fastgpt],
  [24, gemini],
  [25, vendors.moonshot],
  [26, vendors.baichuan],
  [27, vendors.minimax],
  [28, vendors.mistral],
  [29, vendors.groq],
  [31, vendors.lingyiwanwu],
  [32, vendors.stepfun],
  [36, vendors.deepseek],
  [39, vendors.together],
  [40, vendors.doubao],
  [41, vendors.novita],
])

export const providerOf = (type: number) => REGISTRY.get(type)
