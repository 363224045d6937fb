import { no } from './entry.ts'

/** Settings. */
export const OPTION_ERRORS = {
  'option.no_oidc': no(
    '暂不支持通过 OIDC 登录，{key} 无法保存',
    'OIDC login is not supported, so {key} cannot be saved',
  ),
  'option.unknown': no('没有这项设置：{key}', 'Unknown setting: {key}'),
  'option.invalid': no('{key} 的值无效：{reason}', 'The value of {key} is not valid: {reason}'),
  'option.toggle': no('必须是 true 或 false', 'must be true or false'),
  'option.integer': no('必须是整数', 'must be a whole number'),
  'option.number': no('必须是数字', 'must be a number'),
  'option.link': no('必须是 http 或 https 网址', 'must be an http or https URL'),
  'option.picture': no('必须是图片网址或站内路径', 'must be an image URL or a path on this site'),
  'option.theme': no('必须是 auto、light 或 dark', 'must be auto, light or dark'),
  'option.locale': no('必须是 zh、en 或 browser', 'must be zh, en or browser'),
  'option.ratios': no(
    '必须是合法的 JSON 对象，值为 0 到 1000000 的数字',
    'must be a JSON object whose values are numbers from 0 to 1000000',
  ),
  'option.policies': no(
    '必须是 JSON 数组，形如 [{"group": "default", "model": "*", "policy": "balanced", "affinity": true}]，分组和模型不能重复',
    'must be a JSON list such as [{"group": "default", "model": "*", "policy": "balanced", "affinity": true}], each group and model once',
  ),
  'option.aliases': no(
    '必须是 JSON 对象，每个别名对应一个模型名，最多 200 个',
    'must be a JSON object mapping aliases to models, at most 200',
  ),
  'option.alias_loop': no(
    '别名不能指向自己、另一个别名或带 * 的名称',
    'must not map an alias to itself, to another alias or to a name with *',
  ),
  'option.fallbacks': no(
    '必须是 JSON 对象，形如 {"模型": {"to": ["备用模型"], "on": ["no_channel"]}}',
    'must be a JSON object such as {"model": {"to": ["another"], "on": ["no_channel"]}}',
  ),
  'option.fallback_loop': no(
    '备用模型不能是模型自己，也不能重复',
    'must not list a model as its own fallback, or the same fallback twice',
  ),
  'option.rate_limits': no(
    '必须是分组到速率限制的 JSON 对象，rpm、tpm、concurrency 是 1 到 1000000000 的整数，每个分组最多 20 个模型',
    'must be a JSON object mapping groups to limits: rpm, tpm and concurrency are whole numbers from 1 to 1000000000, with at most 20 models per group',
  ),
  'option.changed_meanwhile': no(
    '{key} 已被其他管理员修改，这次没有保存。重新加载页面可以看到新的值，请在此基础上修改',
    'Another administrator has changed {key}, so nothing was saved. Reload the page to see the new value, and change that',
  ),
  'option.needs': no('请先填写 {needed}', 'Set {needed} first'),
  'option.locks_out': no(
    '这样超级管理员将无法登录：请保留密码登录，或先启用另一种登录方式并由超级管理员绑定',
    'The super administrator would no longer be able to log in: keep password login, or first enable another login method that the super administrator has linked',
  ),
  'option.keeps_default_group': no('分组倍率必须包含 default', 'The group ratios must include default'),
}
