import { aiproxyLibrary } from './aiproxy-library/aiproxy-library.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { azure } from './azure/azure.ts'
import { baidu } from './baidu/baidu.ts'
import { bedrock } from './bedrock/bedrock.ts'
import { cloudflare } from './cloudflare/cloudflare.ts'
import { cohere } from './cohere/cohere.ts'
import * as vendors from './compatible/vendors.ts'
import { coze } from './coze/coze.ts'
import { deepl } from './deepl/deepl.ts'
import { gemini } from './gemini/gemini.ts'
import { hunyuan } from './hunyuan/hunyuan.ts'
import { midjourney } from './midjourney/midjourney.ts'
import { ollama } from './ollama/ollama.ts'
import { palm } from './palm/palm.ts'
import type { Provider } from './provider.ts'
import { proxy } from './proxy/proxy.ts'
import { qwen } from './qwen/qwen.ts'
import { replicate } from './replicate/replicate.ts'
import { spark } from './spark/spark.ts'
import { vertex } from './vertex/vertex.ts'
import { zhipu } from './zhipu/zhipu.ts'

/** Channel type → provider. The only list of vendors. */
const REGISTRY: ReadonlyMap<number, Provider> = new Map([
  [1, vendors.openai],
  [2, vendors.api2d],
  [3, azure],
  [4, vendors.closeai],
  [5, vendors.openaiSb],
  [6, vendors.openaiMax],
  [7, vendors.ohmygpt],
  [8, vendors.custom],
  [9, vendors.ails],
  [10, vendors.aiproxy],
  [11, palm],
  [12, vendors.api2gpt],
  [13, vendors.aigc2d],
  [14, anthropic],
  [15, baidu],
  [16, zhipu],
  [17, qwen],
  [18, spark],
  [19, vendors.zhinao],
  [20, vendors.openrouter],
  [21, aiproxyLibrary],
  [22, vendors.fastgpt],
  [23, hunyuan],
  [24, gemini],
  [25, vendors.moonshot],
  [26, vendors.baichuan],
  [27, vendors.minimax],
  [28, vendors.mistral],
  [29, vendors.groq],
  [30, ollama],
  [31, vendors.lingyiwanwu],
  [32, vendors.stepfun],
  [33, bedrock],
  [34, coze],
  [35, cohere],
  [36, vendors.deepseek],
  [37, cloudflare],
  [38, deepl],
  [39, vendors.together],
  [40, vendors.doubao],
  [41, vendors.novita],
  [42, vertex],
  [43, proxy],
  [44, vendors.siliconflow],
  [45, vendors.xai],
  [46, replicate],
  [47, vendors.baiduV2],
  [48, vendors.sparkHttp],
  [49, vendors.bailian],
  [50, vendors.generic],
  [51, vendors.geminiOpenAi],
  [52, vendors.perplexity],
  [53, vendors.fireworks],
  [54, vendors.cerebras],
  [55, vendors.vercel],
  [56, vendors.huggingface],
  [57, vendors.nvidia],
  [58, vendors.deepinfra],
  [59, vendors.vllm],
  [60, vendors.lmStudio],
  [61, midjourney],
])

export const providerOf = (type: number) => REGISTRY.get(type)
