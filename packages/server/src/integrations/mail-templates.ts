import type { Language } from '../common/errors.ts'
import { layout, type MailContent } from './mail-layout.ts'

interface Common {
  language: Language
  systemName: string
}

/** For someone who registers or binds this address. */
export function verificationMail({ code, ...common }: Common & { code: string }): MailContent {
  const { systemName } = common
  if (common.language === 'zh')
    return layout({
      ...common,
      title: '邮箱验证码',
      blocks: [
        `您好！您正在 ${systemName} 验证邮箱地址，验证码为：`,
        { code },
        '验证码 10 分钟内有效，请勿告诉他人。如果这不是您本人的操作，请忽略此邮件。',
      ],
    })
  return layout({
    ...common,
    title: 'Your verification code',
    blocks: [
      `Hello! Use this code to verify your e-mail address at ${systemName}:`,
      { code },
      'It is valid for 10 minutes. Do not share it. If you did not request it, please ignore this e-mail.',
    ],
  })
}

/** Sent in place of a code, so that the page does not reveal which addresses have an account. */
export function addressTakenMail(common: Common): MailContent {
  const { systemName } = common
  if (common.language === 'zh')
    return layout({
      ...common,
      title: '该邮箱已注册',
      blocks: [
        `您好！刚才有人在 ${systemName} 请求验证这个邮箱地址，但它已经属于一个现有账户，因此没有发送验证码。`,
        '如果是您本人，请直接登录；忘记密码时，可以在登录页面重置密码。',
        '如果不是您本人，无需任何操作，您的账户没有任何变化。',
      ],
    })
  return layout({
    ...common,
    title: 'This address is already registered',
    blocks: [
      `Hello! Someone just asked to verify this e-mail address at ${systemName}, but it already belongs to an account, so no code was sent.`,
      'If it was you, please log in. If you forgot your password, you can reset it from the login page.',
      'If it was not you, you can ignore this e-mail. Your account has not changed.',
    ],
  })
}

export function resetMail({ username, link, ...common }: Common & { username: string; link: string }): MailContent {
  const { systemName } = common
  if (common.language === 'zh')
    return layout({
      ...common,
      title: '重置密码',
      blocks: [
        `${username}，您好！我们收到了重置您 ${systemName} 账户密码的请求，请通过下面的链接继续：`,
        { button: '重置密码', link },
        '链接 30 分钟内有效，且只能使用一次。如果这不是您本人的操作，请忽略此邮件，您的密码不会改变。',
      ],
    })
  return layout({
    ...common,
    title: 'Reset your password',
    blocks: [
      `Hello ${username}! We received a request to reset the password of your ${systemName} account. To continue, use this link:`,
      { button: 'Reset password', link },
      'The link is valid for 30 minutes and works only once. If you did not request it, please ignore this e-mail. Your password will not change.',
    ],
  })
}

interface QuotaReminder extends Common {
  username: string
  state: 'low' | 'empty'
  /** As the console shows it: `$0.12` or `60000`. */
  amount: string
  /** The page to top up: `{ServerAddress}/topup`. */
  link: string
}

export function quotaReminderMail({ username, state, amount, link, ...common }: QuotaReminder): MailContent {
  if (common.language === 'zh')
    return layout({
      ...common,
      title: state === 'low' ? '额度即将用尽' : '额度已用尽',
      blocks: [
        state === 'low'
          ? `${username}，您好！您的额度即将用尽，当前剩余 ${amount}。为避免影响使用，请及时充值。`
          : `${username}，您好！您的额度已用尽，当前剩余 ${amount}。充值之前，新的调用会被拒绝。`,
        { button: '前往充值', link },
      ],
    })
  return layout({
    ...common,
    title: state === 'low' ? 'Your quota is about to run out' : 'Your quota has run out',
    blocks: [
      state === 'low'
        ? `Hello ${username}! Your quota is about to run out: ${amount} left. Please top up soon to avoid interruptions.`
        : `Hello ${username}! Your quota has run out: ${amount} left. New calls are rejected until you top up.`,
      { button: 'Top up', link },
    ],
  })
}

interface BudgetState extends Common {
  /** Owner and period: `the daily budget of the key agents`. */
  name: string
  percent: number
  used: string
  limit: string
}

export function budgetMail({ name, percent, used, limit, ...common }: BudgetState): MailContent {
  const isSpent = percent >= 100
  if (common.language === 'zh')
    return layout({
      ...common,
      title: `预算已用 ${percent}%`,
      blocks: [
        `${name}已用 ${used}，上限 ${limit}。`,
        isSpent ? '在恢复或提高之前，新的调用会被拒绝。' : '用完之后，新的调用会被拒绝。',
      ],
    })
  return layout({
    ...common,
    title: `${percent}% of a budget used`,
    blocks: [
      `${used} of ${limit} used: ${name}.`,
      isSpent
        ? 'New calls are rejected until it renews or is raised.'
        : 'Once it is used up, new calls will be rejected.',
    ],
  })
}

interface ChannelState extends Common {
  channel: { id: number; name: string }
  change: 'disabled' | 'enabled' | 'failing'
  /** The reason in one sentence; empty when there is none. */
  reason: string
}

/** To the administrators, when the gateway disabled or enabled a channel, or it needs attention. */
export function channelStateMail({ channel, change, reason, ...common }: ChannelState): MailContent {
  if (common.language === 'zh')
    return layout({
      ...common,
      title: change === 'failing' ? `渠道「${channel.name}」（#${channel.id}）需要关注` : '渠道状态变更提醒',
      blocks: [
        `渠道「${channel.name}」（#${channel.id}）${CHANGED[change].zh}。`,
        ...(reason === '' ? [] : [`原因：${reason}`]),
      ],
    })
  return layout({
    ...common,
    title:
      change === 'failing' ? `Channel "${channel.name}" (#${channel.id}) needs attention` : 'Channel status changed',
    blocks: [
      `Channel "${channel.name}" (#${channel.id}) ${CHANGED[change].en}.`,
      ...(reason === '' ? [] : [`Reason: ${reason}`]),
    ],
  })
}

interface UsageAnomaly extends Common {
  channel: { id: number; name: string }
  model: string
  requestId: string
}

/** A vendor reported impossible usage: its bills should be checked. */
export function usageAnomalyMail({ channel, model, requestId, ...common }: UsageAnomaly): MailContent {
  if (common.language === 'zh')
    return layout({
      ...common,
      title: `渠道「${channel.name}」（#${channel.id}）报告的用量不可信`,
      blocks: [
        `渠道「${channel.name}」（#${channel.id}）对模型 ${model} 的一次调用报告了不可能的用量，没有按它收费，而是按自己的计数或预留的额度收费。`,
        `请求 ID：${requestId}。一小时内同一渠道不再提醒。`,
      ],
    })
  return layout({
    ...common,
    title: `Channel "${channel.name}" (#${channel.id}) reported implausible usage`,
    blocks: [
      `Channel "${channel.name}" (#${channel.id}) reported impossible usage for a call to ${model}. The call was charged by the gateway's own count or the amount held instead.`,
      `Request ID: ${requestId}. No further e-mails about this channel will be sent for an hour.`,
    ],
  })
}

const CHANGED = {
  disabled: { zh: '已被自动禁用', en: 'was disabled automatically' },
  enabled: { zh: '已自动恢复启用', en: 'was re-enabled automatically' },
  failing: { zh: '没有通过测试，状态没有改变', en: 'failed its test; its status is unchanged' },
} as const
