import { about, no } from './entry.ts'

/** A channel and its keys, the tests of channels, model lists, and routes. */
export const CHANNEL_ERRORS = {
  'channel.not_found': no('渠道不存在', 'There is no such channel'),
  'channel.unknown_type': about('type', '不支持的渠道类型', 'Unknown channel type'),
  'channel.bad_base_url': about(
    'base_url',
    '地址必须是 http 或 https 网址，不能带账号密码、? 或 #',
    'The address must be an http or https URL without credentials, ? or #',
  ),
  'channel.closed_address': about('base_url', '不允许使用该地址', 'This address is not allowed'),
  'channel.key_required': about('key', '请填写密钥', 'A key is required'),
  'channel.key_retype': about(
    'key',
    '修改了类型、上游地址、代理、区域、项目或账户，请重新填写密钥',
    'The type, address, proxy, region, project or account has changed: enter the key again',
  ),
  'channel.key_elsewhere': about(
    'key',
    '密钥中的区域或项目与渠道不同',
    'The region or project in the key differs from the channel',
  ),
  'channel.pool_key': about(
    'key',
    '该渠道有多个密钥，请在“密钥”中添加或删除',
    'This channel has several keys: add and remove them under Keys',
  ),
  'channel.no_pool': no('该类型的渠道只能有一个密钥', 'Channels of this type can have only one key'),
  'channel.too_many_keys': no('一个渠道最多 {max} 个密钥', 'A channel can have at most {max} keys'),
  'channel.last_key': no(
    '渠道至少需要一个密钥，请先添加别的密钥，或删除渠道',
    'A channel needs a key: add another one first, or delete the channel',
  ),
  'channel.no_key': no('该渠道没有可用的密钥', 'This channel has no usable key'),
  'channel.key_not_found': no('密钥不存在', 'There is no such key'),
  'channel.keys_nothing': no('请填写要修改的内容', 'Specify what to change'),
  'channel.bad_region': about('region', '区域的格式不正确，例如 us-east-1', 'Enter a region such as us-east-1'),
  'channel.bad_key': about('key', '密钥格式不正确，应为 {format}', 'The key must have the format {format}'),
  'channel.key_character': about(
    'key',
    '密钥中有密钥不会包含的字符“{character}”，请只粘贴密钥本身',
    'The key contains "{character}", which no key does: paste only the key itself',
  ),
  'channel.bad_credentials': about(
    'vertex_ai_adc',
    '应用默认凭据必须是完整的 JSON，即从 Google Cloud 下载的密钥文件的内容',
    'The credentials must be the complete JSON of a key file from Google Cloud',
  ),
  'channel.model_required': about('models', '请至少选择一个模型', 'Select at least one model'),
  'channel.bad_mapping': about(
    'model_mapping',
    '模型映射必须是合法的 JSON 格式',
    'The model mapping must be valid JSON',
  ),
  'channel.bad_config': about('config', '渠道配置必须是合法的 JSON', 'The channel config must be valid JSON'),
  'channel.too_many_rules': about(
    'header_rules',
    '请求头和请求体的规则合计最多 {max} 条',
    'At most {max} header and body rules in total',
  ),
  'channel.bad_header_name': about(
    'header_rules',
    '“{name}”不是合法的请求头名称',
    '"{name}" is not a valid header name',
  ),
  'channel.closed_header': about(
    'header_rules',
    '请求头 {name} 由网关设置，不能修改',
    'The gateway sets the header {name}; it cannot be changed',
  ),
  'channel.header_twice': about('header_rules', '请求头 {name} 出现了两次', 'The header {name} appears twice'),
  'channel.header_value_required': about('header_rules', '请填写请求头 {name} 的值', 'The header {name} needs a value'),
  'channel.bad_header_value': about(
    'header_rules',
    '请求头 {name} 的值过长或含有不允许的字符',
    'The value of the header {name} is too long or contains invalid characters',
  ),
  'channel.bad_body_path': about(
    'body_rules',
    '“{name}”不是合法的路径，应为用点分隔的名称，最多 10 段',
    '"{name}" is not a valid path: use names separated by dots, at most 10',
  ),
  'channel.closed_body_path': about(
    'body_rules',
    '请求体的 {name} 不能修改',
    'The body field {name} cannot be changed',
  ),
  'channel.bad_body_value': about(
    'body_rules',
    '{name} 的值必须是合法的 JSON，文本要加引号',
    'The value of {name} must be valid JSON; put text in quotes',
  ),
  'channel.fixed_body': about(
    'body_rules',
    '该类型的请求体已签名或原样转发，不能修改',
    'Request bodies of this type are signed or forwarded unchanged, so they cannot be modified',
  ),
  'channel.bad_proxy': about(
    'proxy',
    '代理地址应为 http://、https:// 或 socks5://主机:端口，不能带路径、参数或账号密码',
    'The proxy must be http://, https:// or socks5://host:port without path, query or credentials',
  ),
  'channel.closed_proxy': about('proxy', '不允许使用该代理地址', 'This proxy address is not allowed'),
  'channel.bad_timeout': no(
    '超时时间应为 1 到 {max} 之间的整数秒',
    'The timeout must be a whole number of seconds from 1 to {max}',
  ),
  'channel.group_required': about('group', '请至少选择一个分组', 'Select at least one group'),
  'channel.bad_status': no('不支持的渠道状态', 'This status cannot be set'),
  'channel.copy_sealed': no(
    '渠道 {name} 的密钥无法解开，请先重新填写密钥',
    'The key of the channel {name} cannot be decrypted. Enter it again first',
  ),
  'channel.name_required': about('name', '请填写渠道名称', 'The channel needs a name'),
  'channel.test_failed': no('测试失败：{reason}', 'The test failed: {reason}'),
  'channel.test_no_model': no('该渠道没有可测试的对话模型', 'This channel has no chat model to test'),
  'channel.test_not_testable': no(
    '模型 {model} 不是对话或向量模型，测试它会产生费用，请选择其他模型',
    '{model} is not a chat or embedding model, and testing it would cost money. Choose another model',
  ),
  'channel.test_no_chats': no(
    '该类型的渠道没有对话，无法测试',
    'Channels of this type do not support chat, so they cannot be tested',
  ),
  'channel.tests_running': no('测试已在运行中', 'Tests are already running'),
  'channel.balance_unsupported': no('该类型的渠道不支持查询余额', 'This type of channel does not report a balance'),
  'channel.balance_failed': no('查询余额失败：{reason}', 'Could not read the balance: {reason}'),
  'channel.models_failed': no('查询模型列表失败：{reason}', 'Could not read the model list: {reason}'),
  'channel.models_unsupported': no('该类型的渠道不支持查询模型列表', 'This type of channel cannot list its models'),

  'route.twice': no('同一个渠道只能出现一次', 'Each channel can appear only once'),
  'route.gone': no(
    '其中 {count} 个渠道已不存在，请刷新后重试',
    '{count} of the channels no longer exist. Reload and try again',
  ),
  'route.changed_meanwhile': no(
    '渠道 {name} 的优先级或权重刚刚被修改，请刷新后重试',
    'The priority or weight of {name} has just been changed. Reload and try again',
  ),

  'model_list.empty': no('服务商返回的模型列表是空的', "The provider's model list is empty"),
  'model_list.partial': no('服务商只返回了模型列表的一部分', 'The provider returned only part of its model list'),
  'model_list.none_offered': no(
    '服务商列出了 {count} 个模型，但没有这个渠道的任何一个；请检查渠道的模型和映射',
    "The provider lists {count} models, but none of this channel's. Check the channel's models and mapping",
  ),
  'model_list.shrunk': no(
    '模型列表从 {before} 个变成了 {count} 个；再看到一次同样的列表才会采信',
    'The list went from {before} models to {count}. It is accepted once the same list is returned again',
  ),
}
