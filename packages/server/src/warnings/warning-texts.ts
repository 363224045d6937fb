import type { Text, Warning } from '@tollgate/contract'

const NAMED_MAX = 5

/** A sentence for each warning: what would happen, to whom. */
const TEXTS = {
  'channel.orphans': ({ offers, count }: { offers: readonly { group: string; model: string }[]; count: number }) => ({
    zh: `${count} 个模型将没有任何启用的渠道，对它们的调用会全部失败：${named(offers.map(({ group, model }) => `${model}（${group}）`)).zh}`,
    en: `${count === 1 ? '1 model loses' : `${count} models lose`} the last enabled channel, and every call for ${count === 1 ? 'it' : 'them'} will fail: ${named(offers.map(({ group, model }) => `${model} (${group})`)).en}`,
  }),
  'channel.mapping': ({ model, target }: { model: string; target: string }) => ({
    zh: `${model} 映射到 ${target}，而没有已知的服务商出售这个模型；如果名称有误，${model} 的调用会全部失败`,
    en: `${model} is mapped to ${target}, which no known provider sells; if the name is wrong, every call for ${model} will fail`,
  }),
  'channel.key_header': ({ name, action }: { name: string; action: 'set' | 'remove' }) =>
    action === 'remove'
      ? {
          zh: `请求头 ${name} 带着这个渠道的密钥；去掉它，服务商会拒绝所有调用`,
          en: `The header ${name} carries the channel's key. Without it, the provider rejects every call`,
        }
      : {
          zh: `请求头 ${name} 带着这个渠道的密钥；规则里的值会代替它，如果那不是有效的密钥，服务商会拒绝所有调用`,
          en: `The header ${name} carries the channel's key. The rule's value is sent instead, and unless that is a valid key, the provider rejects every call`,
        },
  'channel.needed_header': ({ name }: { name: string }) => ({
    zh: `服务商要求请求头 ${name}；去掉它，这个渠道的调用会全部失败`,
    en: `The provider requires the header ${name}. Without it, every call through this channel will fail`,
  }),
  'channel.body_rule': ({ path }: { path: string }) => ({
    zh: `服务商需要请求体里的 ${path}；去掉它，这个渠道的调用可能全部失败`,
    en: `Providers require ${path} in the body. Without it, every call through this channel may fail`,
  }),
  'channel.body_value': ({ path, value, expected }: { path: string; value: string; expected: Text }) => ({
    zh: `${path} 应为${expected.zh}；设为 ${value}，服务商可能拒绝这个渠道的所有调用`,
    en: `${path} should be ${expected.en}. With ${value}, the provider may reject every call through this channel`,
  }),
  'channel.first_byte': ({ seconds }: { seconds: number }) => ({
    zh: `很多模型 ${seconds} 秒内还没有开始回答；超过这个时间的调用都会失败`,
    en: `Many models take longer than ${seconds} s to start responding. All such calls will fail`,
  }),
  'channel.address': ({ address }: { address: string }) => ({
    zh: `现在连接不上 ${address}；这个渠道的调用会全部失败`,
    en: `${address} cannot be reached right now. Every call through this channel will fail`,
  }),
  'channel.proxy': ({ proxy }: { proxy: string }) => ({
    zh: `现在连接不上代理 ${proxy}；这个渠道的调用会全部失败`,
    en: `The proxy ${proxy} cannot be reached right now. Every call through this channel will fail`,
  }),
  'channel.last_key': ({ name }: { name: string }) => ({
    zh: `渠道「${name}」将没有可用的密钥，经过它的调用会全部失败`,
    en: `The channel "${name}" will have no usable key, and every call through it will fail`,
  }),
  'token.models': ({ models }: { models: readonly string[] }) => ({
    zh: `没有渠道向这个令牌的分组提供它允许的任何模型，调用会全部失败：${named(models).zh}`,
    en: `No channel offers any of this token's models to its group, so every call will fail: ${named(models).en}`,
  }),
  'token.quota': (hold: Hold) => tooLittle({ zh: '令牌的额度', en: 'the quota of the token' }, hold),
  'token.expired': () => ({
    zh: '过期时间已经过去，这个令牌的调用会全部失败',
    en: 'The expiry time has passed, so every call with this token will fail',
  }),
  'token.subnet': ({ addresses }: { addresses: readonly string[] }) => ({
    zh: `最近使用这个令牌的地址都不在这些网段里，来自它们的调用会全部被拒绝：${named(addresses).zh}`,
    en: `None of the addresses that recently used this token is in these IP ranges. Every call from them will be rejected: ${named(addresses).en}`,
  }),
  'user.group': ({ groups }: { groups: readonly string[] }) => ({
    zh: `没有启用的渠道属于分组 ${named(groups).zh}，这个用户的调用会全部失败`,
    en: `No enabled channel belongs to ${groups.length === 1 ? 'the group' : 'the groups'} ${named(groups).en}, so every call by this user will fail`,
  }),
  'user.quota': (hold: Hold) => tooLittle({ zh: '用户的额度', en: "the user's balance" }, hold),
  'budget.small': (hold: Hold) => tooLittle({ zh: '预算', en: 'the budget' }, hold),
  'budget.spent': ({ used }: { used: Text }) => ({
    zh: `这个周期已经用掉 ${used.zh}，剩下的不够一次调用；在预算恢复或提高之前，调用会全部被拒绝`,
    en: `${used.en} is already spent in this period, and the rest does not cover a call. Every call will be rejected until the budget renews or is raised`,
  }),
  'option.alias': ({ alias, model, groups }: { alias: string; model: string; groups: readonly string[] }) =>
    groups.length === 0
      ? {
          zh: `没有启用的渠道提供 ${model}，对别名 ${alias} 的调用会全部失败`,
          en: `No enabled channel offers ${model}, so every call to the alias ${alias} will fail`,
        }
      : {
          zh: `没有启用的渠道向分组 ${named(groups).zh} 提供 ${model}，这些用户对 ${alias} 的调用会全部失败`,
          en: `No enabled channel offers ${model} to the group ${named(groups).en}, so every call by its users to ${alias} will fail`,
        },
  'option.fallback': ({ model }: { model: string }) => ({
    zh: `没有启用的渠道提供 ${model} 的任何备用模型，备用不会生效`,
    en: `No enabled channel offers any of the fallbacks for ${model}, so they will have no effect`,
  }),
  'option.price': ({ model, amount }: { model: string; amount: Text }) => ({
    zh: `最便宜的一次调用（${model}）也会预扣 ${amount.zh}，超过所有用户的余额，所有人的调用都会被拒绝`,
    en: `Even the cheapest call (${model}) will hold ${amount.en}, more than any user's balance. All calls will be rejected`,
  }),
  'option.proxy_price': ({ amount }: { amount: Text }) => ({
    zh: `经过代理渠道的每次调用将收取 ${amount.zh}，超过所有用户的余额，这样的调用会全部被拒绝`,
    en: `Every call through a proxy channel will cost ${amount.en}, more than any user's balance. All such calls will be rejected`,
  }),
  'option.slow_channels': ({ count }: { count: number }) => ({
    zh: `所有测试过的启用渠道（${count} 个）都比这个时间慢，下一次测试全部渠道时会被全部禁用`,
    en: `All tested enabled channels (${count}) are slower than this. The next test of all channels will disable every one of them`,
  }),
} satisfies Record<Warning['code'], (detail: never) => Text>

interface Hold {
  /** The cheapest model; absent when nothing is left to spend at all. */
  model?: string
  amount?: Text
}

function tooLittle(what: Text, { model, amount }: Hold): Text {
  if (model === undefined || amount === undefined) {
    return { zh: `${what.zh}为零，调用会全部被拒绝`, en: `With nothing in ${what.en}, every call will be rejected` }
  }
  return {
    zh: `一次不限制输出长度的调用最少（${model}）预扣 ${amount.zh}，超过${what.zh}，这样的调用会全部被拒绝`,
    en: `A call without an output limit holds at least ${amount.en} (${model}), more than ${what.en}. Every such call will be rejected`,
  }
}

function named(names: readonly string[]): Text {
  const [some, more] = [names.slice(0, NAMED_MAX), names.length - NAMED_MAX]
  return {
    zh: some.join('、') + (more > 0 ? ` 等 ${names.length} 个` : ''),
    en: some.join(', ') + (more > 0 ? ` and ${more} more` : ''),
  }
}

type Texts = typeof TEXTS

export const warning = <Code extends Warning['code']>(code: Code, detail: Parameters<Texts[Code]>[0]): Warning => {
  // The detail belongs to the code, which TypeScript does not follow through the table.
  const textOf = TEXTS[code] as (known: typeof detail) => Text
  return { code, ...textOf(detail) }
}
