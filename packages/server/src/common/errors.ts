import type { Text } from '@tollgate/contract'

/**
 * Every error of the product, once, in both languages. `{name}` is filled from the error's values.
 *
 * Existing clients of the management API expect errors in a 200 answer with `success: false`; only an invalid request or
 * session, or a server error, has a status of its own.
 */
const CATALOGUE = {
  'session.missing': at(401, '未登录或登录已过期，请先登录', 'You are not logged in, or the login has expired'),
  'session.bad_access_token': at(401, '访问令牌无效', 'The access token is not valid'),
  'session.forbidden': no('权限不足，无法进行此操作', 'You do not have permission to do this'),
  'session.banned': no('账户已被封禁', 'This account is banned'),
  'session.bad_credentials': no(
    '用户名或密码错误，或账户已被封禁',
    'Wrong username or password, or the account is banned',
  ),
  'session.password_login_off': no('管理员关闭了密码登录', 'Signing in with a password is switched off'),
  'session.foreign_page': at(403, '请求来自其他站点，已拒绝', 'Refused: the request came from another site'),
  'session.unproven_page': at(
    403,
    '无法确认请求来自本站页面，已拒绝；程序请改用访问令牌',
    'Refused: nothing shows that a page of this site sent the request. Programs use an access token',
  ),
  'session.interactive_only': no(
    '此操作需要在网页登录后进行',
    'This needs a login in the browser, not an access token',
  ),

  'register.off': no('管理员关闭了新用户注册', 'Registration is switched off'),
  'register.password_off': no('管理员关闭了密码注册', 'Registration with a password is switched off'),
  'register.passwords_differ': no('两次输入的密码不一致', 'The two passwords do not match'),
  'register.username_taken': no(
    '用户名已被占用，或与已有用户名过于相似',
    'This username is taken, or looks too much like one that is',
  ),
  'register.email_required': no('请填写邮箱地址和验证码', 'An e-mail address and its code are required'),
  'register.email_domain': no('不支持该邮箱域名', 'This e-mail domain is not accepted'),
  'register.bad_code': no('验证码错误或已过期', 'The code is wrong or has expired'),
  'register.email_taken': no('邮箱地址已被占用', 'This e-mail address is taken'),
  'reset.bad_token': no('重置链接无效或已过期', 'The reset link is not valid or has expired'),
  'turnstile.missing': no('请先完成人机验证', 'Please complete the human check first'),
  'turnstile.failed': no('人机验证未通过，请刷新后重试', 'The human check failed, please reload and try again'),

  'oauth.bad_state': at(
    403,
    '登录状态已失效，请重新发起',
    'The sign-in attempt is no longer valid, please start again',
  ),
  'oauth.bad_code': no('验证码无效', 'The code is not valid'),
  'oauth.off': no('管理员未启用此登录方式', 'This way to sign in is switched off'),
  'oauth.unreachable': no(
    '暂时无法连接 {service}，请稍后再试',
    '{service} cannot be reached right now, try again later',
  ),
  'oauth.refused': no('{service} 拒绝了这次登录', '{service} refused this sign-in'),
  'oauth.already_bound': no('该 {service} 账户已绑定其他用户', 'This {service} account is bound to another user'),
  'oauth.admin_closed': no(
    '管理员账户默认不开放此登录方式，请用密码登录后在个人设置中开启',
    'This way in is closed for administrators until they open it in their personal settings, signed in with the password',
  ),

  'user.not_found': no('用户不存在', 'There is no such user'),
  'user.rank': no('无权操作同级或更高级别的用户', 'You may only act on users of a lower role'),
  'user.root_protected': no('不能对超级管理员执行此操作', 'This cannot be done to the super administrator'),
  'user.root_only': no('只有超级管理员可以进行此操作', 'Only the super administrator may do this'),
  'user.already_admin': no('该用户已经是管理员', 'This user is an administrator already'),
  'user.already_ordinary': no('该用户已经是普通用户', 'This user is an ordinary user already'),
  'user.bad_role': no('不支持的角色', 'This role cannot be given'),
  'user.bad_status': no('不支持的用户状态', 'This status cannot be set'),
  'user.below_zero': no('修改后额度会小于零', 'The change would take the quota below zero'),
  'user.quota_bounds': no('额度超出允许范围', 'The quota would leave the allowed range'),
  'user.name_too_long': no('用户名最长 {max} 个字符', 'A username has at most {max} characters'),
  'user.name_invisible': no('用户名不能包含不可见字符', 'A username cannot contain invisible characters'),
  'user.password_needed': no('请输入当前密码以确认此操作', 'Type your current password to confirm this'),
  'user.wrong_password': no('当前密码不正确', 'The current password is not right'),
  'user.password_is_name': no('密码不能与用户名相同', 'The password must differ from the username'),

  'budget.not_found': no('预算不存在', 'There is no such budget'),
  'budget.no_target': no('预算的对象不存在', 'What the budget is for does not exist'),
  'budget.own_keys_only': no('只能为自己的令牌设置预算', 'You may set budgets for your own keys only'),
  'budget.managed': no('这个预算由管理员设置，不能修改', 'An administrator set this budget: you cannot change it'),
  'budget.too_many': no('同一对象最多 {max} 个预算', 'There can be at most {max} budgets for one of them'),
  'budget.bad_zone': no('不存在这个时区：{zone}', 'There is no such time zone: {zone}'),
  'alert.no_rule': no('告警规则不存在', 'There is no such alert rule'),
  'alert.no_destination': no('告警通知目标不存在', 'There is no such alert destination'),
  'alert.not_for_owner': no('这里不支持这种告警规则', 'This kind of alert rule does not belong here'),
  'alert.too_many': no('最多 {max} 个', 'There can be at most {max} of them'),
  'alert.bad_zone': no('不存在这个时区：{zone}', 'There is no such time zone: {zone}'),
  'alert.bad_address': no(
    '请填写以 http:// 或 https:// 开头的完整地址',
    'An address that begins with http:// or https:// is needed',
  ),
  'alert.bad_mailbox': no('请填写有效的邮箱地址', 'A valid e-mail address is needed'),
  'alert.bad_chat': no(
    '请填写 Telegram 会话 ID（数字或 @频道名）',
    'The id of a Telegram chat is needed: a number, or @channel',
  ),
  'alert.own_mailbox': no(
    '只能发往自己账户绑定的邮箱，地址留空即可',
    'Mail goes to the mailbox of your own account only: leave the address empty',
  ),
  'alert.no_mailbox': no('请先在个人设置中绑定邮箱', 'Bind an e-mail address in your personal settings first'),
  'alert.bad_bot_token': no('机器人令牌的格式是 数字:字母', 'The token of a bot is a number, a colon and letters'),
  'alert.unreadable': no(
    '地址无法用当前主密钥解密，请重新填写',
    'The address cannot be opened with the current master key: type it again',
  ),
  'alert.secret_needed': no('请填写密钥', 'The secret is needed'),
  'alert.no_secret': no('这种方式不使用密钥', 'This way has no secret'),
  'alert.root_allows_private': no(
    '只有超级管理员可以允许内网地址',
    'Only the super administrator may allow a private address',
  ),
  'token.not_found': no('令牌不存在', 'There is no such token'),
  'token.bad_subnet': no('无效的网段：{entry}', 'Not a valid subnet: {entry}'),
  'token.bad_status': no('不支持的令牌状态', 'This status cannot be set'),
  'token.still_expired': no(
    '令牌已过期，请先修改过期时间',
    'The token has expired; set a later expiry before you enable it',
  ),
  'token.still_exhausted': no(
    '令牌额度已用尽，请先增加剩余额度',
    'The token has no quota left; raise it before you enable the token',
  ),
  'token.blocked': no(
    '该令牌已被管理员禁用，您不能启用它。原因：{reason}',
    'An administrator disabled this token, so that you cannot enable it. Reason: {reason}',
  ),
  'token.not_blocked': no(
    '该令牌不是由管理员禁用的，只有其所有者可以启用',
    'No administrator disabled this token: only its owner can enable it',
  ),
  'token.reason_missing': no(
    '请填写禁用的原因，令牌的所有者会看到',
    'Say why: the owner of the token reads the reason',
  ),
  'token.too_many': no('令牌数量已达上限 {max}', 'You have reached the limit of {max} tokens'),

  'channel.not_found': no('渠道不存在', 'There is no such channel'),
  'channel.unknown_type': no('不支持的渠道类型', 'This channel type is not known'),
  'channel.bad_base_url': no(
    '地址必须是 http 或 https 网址，不能带账号密码、? 或 #',
    'The address must be an http or https URL without credentials, ? or #',
  ),
  'channel.closed_address': no('不允许使用该地址', 'This address is not allowed'),
  'channel.key_required': no('请填写密钥', 'A key is required'),
  'channel.key_retype': no(
    '修改了类型、上游地址、代理、区域、项目或账户，请重新填写密钥',
    'The type, address, proxy, region, project or account changed, so the key must be entered again',
  ),
  'channel.key_elsewhere': no('密钥中的区域或项目与渠道不同', 'A key names another region or project than its channel'),
  'channel.pool_key': no(
    '该渠道有多个密钥，请在“密钥”中添加或删除',
    'This channel has several keys: add and remove them under Keys',
  ),
  'channel.no_pool': no('该类型的渠道只能有一个密钥', 'A channel of this type has one key alone'),
  'channel.too_many_keys': no('一个渠道最多 {max} 个密钥', 'A channel has at most {max} keys'),
  'channel.last_key': no(
    '渠道至少需要一个密钥，请先添加别的密钥，或删除渠道',
    'A channel needs a key: add another one first, or delete the channel',
  ),
  'channel.no_key': no('该渠道没有可用的密钥', 'This channel has no key that can be used'),
  'channel.key_not_found': no('密钥不存在', 'There is no such key'),
  'channel.keys_nothing': no('请填写要修改的内容', 'Say what should change'),
  'channel.bad_region': no('区域的格式不正确，例如 us-east-1', 'The region is not of a form such as us-east-1'),
  'channel.bad_key': no('密钥格式不正确，应为 {format}', 'The key is not of the form {format}'),
  'channel.bad_credentials': no(
    '应用默认凭据必须是完整的 JSON，即从 Google Cloud 下载的密钥文件的内容',
    'The credentials must be the whole JSON of a key file from Google Cloud',
  ),
  'channel.model_required': no('请至少选择一个模型', 'Select at least one model'),
  'channel.bad_mapping': no('模型映射必须是合法的 JSON 格式', 'The model mapping must be valid JSON'),
  'channel.bad_config': no('渠道配置必须是合法的 JSON', 'The channel config must be valid JSON'),
  'channel.too_many_rules': no(
    '请求头和请求体的规则合计最多 {max} 条',
    'At most {max} rules for headers and body together',
  ),
  'channel.bad_header_name': no('“{name}”不是合法的请求头名称', '"{name}" is not the name of a header'),
  'channel.closed_header': no('请求头 {name} 由网关设置，不能修改', 'The gateway sets the header {name} itself'),
  'channel.header_twice': no('请求头 {name} 出现了两次', 'The header {name} appears twice'),
  'channel.header_value_required': no('请填写请求头 {name} 的值', 'The header {name} needs a value'),
  'channel.bad_header_value': no(
    '请求头 {name} 的值过长或含有不允许的字符',
    'The value of the header {name} is too long or has characters that may not be sent',
  ),
  'channel.bad_body_path': no(
    '“{name}”不是合法的路径，应为用点分隔的名称，最多 10 段',
    '"{name}" is not a path: names separated by dots, at most 10 of them',
  ),
  'channel.closed_body_path': no('请求体的 {name} 不能修改', 'The member {name} of the body cannot be changed'),
  'channel.bad_body_value': no(
    '{name} 的值必须是合法的 JSON，文本要加引号',
    'The value of {name} must be valid JSON; a text stands in quotes',
  ),
  'channel.fixed_body': no(
    '该类型的请求体已签名或原样转发，不能修改',
    'The body of this type is signed or passed on as it is, so it cannot be changed',
  ),
  'channel.bad_proxy': no(
    '代理地址应为 http://、https:// 或 socks5://主机:端口，不能带路径、参数或账号密码',
    'The proxy must be http://, https:// or socks5://host:port without path, query or credentials',
  ),
  'channel.closed_proxy': no('不允许使用该代理地址', 'This address of a proxy is not allowed'),
  'channel.bad_timeout': no(
    '超时时间应为 1 到 {max} 之间的整数秒',
    'The time-out must be whole seconds from 1 to {max}',
  ),
  'channel.group_required': no('请至少选择一个分组', 'Select at least one group'),
  'channel.bad_status': no('不支持的渠道状态', 'This status cannot be set'),
  'channel.copy_sealed': no(
    '渠道 {name} 的密钥无法解开，请先重新填写密钥',
    'The key of the channel {name} does not open; enter it again first',
  ),
  'channel.export_too_many': no(
    '一个文件最多 {max} 个渠道，请用筛选条件分几次导出',
    'A file has at most {max} channels; export fewer at a time by a filter',
  ),
  'channel.export_root_only': no('只有超级管理员可以导出密钥', 'Only the super administrator exports keys'),
  'channel.export_csv_secrets': no('CSV 文件不能包含密钥，请选择 JSON', 'A CSV file has no secrets; choose JSON'),
  'channel.file_unreadable': no(
    '文件既不是渠道的 JSON 文件，也不是带有 type 和 name 列的 CSV 表格',
    'The file is neither a JSON file of channels nor a CSV table with the columns type and name',
  ),
  'channel.file_version': no(
    '文件由更新的版本导出（格式 {version}），请升级后再导入',
    'The file was exported by a newer version (format {version}); upgrade first',
  ),
  'channel.file_column': no('不认识的列：{name}', 'This column is not known: {name}'),
  'channel.file_quote': no('第 {row} 行的引号没有结束', 'A quotation mark in row {row} is not closed'),
  'channel.file_cells': no(
    '这一行有 {count} 个单元格，表头有 {columns} 个',
    'The row has {count} cells, the head of the table {columns}',
  ),
  'channel.file_too_many': no('一个文件最多 {max} 个渠道', 'A file has at most {max} channels'),
  'channel.file_empty': no('文件里没有渠道', 'There are no channels in the file'),
  'channel.file_passphrase': no(
    '文件中的密钥已加密，请填写导出时的口令',
    'The secrets in the file are sealed; enter the passphrase of the export',
  ),
  'channel.file_wrong_passphrase': no('口令不正确，或文件已损坏', 'The passphrase is wrong, or the file is damaged'),
  'channel.file_sealing': no(
    '文件的加密方式不受支持',
    'The secrets in the file are sealed in a way that is not supported',
  ),
  'channel.file_pool': no(
    '该渠道有多个密钥：文件不能改变它的密钥或请求地址',
    'This channel has several keys: a file cannot change its key or where it goes',
  ),
  'channel.file_moved': no(
    '这个渠道的密钥是为另一个地址、类型或账户导出的，无法使用',
    'The secrets of this channel were exported for another address, type or account and do not open',
  ),
  'channel.file_ambiguous': no(
    '有多个渠道的名称和类型与此相同，无法确定是哪一个',
    'Several channels have this name and type, so that it is not clear which is meant',
  ),
  'channel.bulk_which': no(
    '请用 ID 或筛选条件之一说明要修改哪些渠道',
    'Say which channels by their ids or by a filter, one of the two',
  ),
  'channel.bulk_none': no('没有符合条件的渠道', 'There are no such channels'),
  'channel.bulk_too_many': no('一次最多修改 {max} 个渠道', 'At most {max} channels are changed together'),
  'channel.bulk_gone': no(
    '其中 {count} 个渠道已不存在，请重新选择',
    '{count} of the channels no longer exist; select again',
  ),
  'channel.bulk_nothing': no('请填写要修改的内容', 'Say what should change'),
  'channel.bulk_remove_alone': no('删除不能与其他修改同时进行', 'Deleting cannot be combined with other changes'),
  'channel.bulk_group_twice': no(
    '设置分组不能与添加或移除分组同时进行',
    'Groups are either set, or added and removed, not both',
  ),
  'channel.bulk_proxy_root_only': no(
    '只有超级管理员可以不重新填写密钥就修改代理',
    'Only the super administrator changes proxies without entering the keys again',
  ),
  'channel.bulk_no_proxy': no(
    '请填写代理地址，账号和密码是给它的',
    'Enter the address of the proxy that the user and password are for',
  ),
  'channel.bulk_no_group': no(
    '渠道 {name} 将没有任何分组，没有修改任何渠道',
    'The channel {name} would have no group left, so no channel was changed',
  ),
  'channel.bulk_no_model': no(
    '渠道 {name} 将没有任何模型，没有修改任何渠道',
    'The channel {name} would have no model left, so no channel was changed',
  ),
  'route.twice': no('同一个渠道只能出现一次', 'Each channel can be named once only'),
  'route.gone': no(
    '其中 {count} 个渠道已不存在，请刷新后重试',
    '{count} of the channels no longer exist; load the page again',
  ),
  'route.changed_meanwhile': no(
    '渠道 {name} 的优先级或权重刚刚被修改，请刷新后重试',
    'The priority or weight of {name} was changed meanwhile; load the page again',
  ),
  'channel.name_required': no('请填写渠道名称', 'The channel needs a name'),

  'channel.test_failed': no('测试失败：{reason}', 'The test failed: {reason}'),
  'channel.test_no_model': no('该渠道没有可测试的对话模型', 'This channel has no chat model to test'),
  'channel.test_not_testable': no(
    '模型 {model} 不是对话或向量模型，测试它会产生费用，请选择其他模型',
    '{model} is no chat or embedding model, and a test of it would cost money; choose another one',
  ),
  'channel.test_no_chats': no(
    '该类型的渠道没有对话，无法测试',
    'Channels of this type have no chats, so they cannot be tested',
  ),
  'channel.tests_running': no('测试已在运行中', 'The tests are running already'),
  'channel.balance_unsupported': no('该类型的渠道不支持查询余额', 'This type of channel cannot be asked for a balance'),
  'channel.balance_failed': no('查询余额失败：{reason}', 'The balance could not be read: {reason}'),
  'channel.models_failed': no('查询模型列表失败：{reason}', 'The list of models could not be read: {reason}'),
  'model_list.empty': no('服务商返回的模型列表是空的', "The provider's list of models is empty"),
  'model_list.partial': no('服务商只返回了模型列表的一部分', 'The provider sent only a part of its list of models'),
  'model_list.none_offered': no(
    '服务商列出了 {count} 个模型，但没有这个渠道的任何一个；请检查渠道的模型和映射',
    "The provider lists {count} models and none of this channel's; check its models and mapping",
  ),
  'model_list.shrunk': no(
    '模型列表从 {before} 个变成了 {count} 个；再看到一次同样的列表才会采信',
    'The list went from {before} models to {count}; it is believed when the same list is seen once more',
  ),
  'channel.models_unsupported': no('该类型的渠道不支持查询模型列表', 'This type of channel cannot list its models'),

  'redemption.not_found': no('兑换码不存在', 'There is no such redemption code'),
  'redemption.invalid': no('兑换失败，无效的兑换码', 'This code is not valid'),
  'redemption.used': no('兑换失败，该兑换码已被使用', 'This code has been used'),
  'redemption.disabled': no('兑换失败，该兑换码已被禁用', 'This code is disabled'),
  'redemption.edit_used': no('已使用的兑换码不能修改', 'A used code cannot be changed'),
  'redemption.bad_status': no('不支持的兑换码状态', 'This status cannot be set'),

  'ledger.other_posting': no('{ref} 已用于另一笔额度变动', '{ref} belongs to another change of quota already'),

  'option.no_oidc': no(
    '暂不支持通过 OIDC 登录，{key} 无法保存',
    'Signing in through OIDC is not offered; {key} cannot be saved',
  ),
  'option.unknown': no('没有这项设置：{key}', 'There is no setting {key}'),
  'option.invalid': no('{key} 的值无效：{reason}', 'The value of {key} is not valid: {reason}'),
  'option.toggle': no('必须是 true 或 false', 'must be true or false'),
  'option.integer': no('必须是整数', 'must be a whole number'),
  'option.number': no('必须是数字', 'must be a number'),
  'option.link': no('必须是 http 或 https 网址', 'must be an http or https URL'),
  'option.picture': no('必须是图片网址或站内路径', 'must be the address of a picture or a path on this site'),
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
    'must be a JSON object of aliases and the model of each, at most 200',
  ),
  'option.alias_loop': no(
    '别名不能指向自己、另一个别名或带 * 的名称',
    'must not have an alias for itself, for another alias or for a name with *',
  ),
  'option.fallbacks': no(
    '必须是 JSON 对象，形如 {"模型": {"to": ["备用模型"], "on": ["no_channel"]}}',
    'must be a JSON object such as {"model": {"to": ["another"], "on": ["no_channel"]}}',
  ),
  'option.fallback_loop': no(
    '备用模型不能是模型自己，也不能重复',
    'must not have a model as its own fallback, nor one twice',
  ),
  'option.rate_limits': no(
    '必须是分组到速率限制的 JSON 对象，rpm、tpm、concurrency 是 1 到 1000000000 的整数，每个分组最多 20 个模型',
    'must be a JSON object of groups and their limits: rpm, tpm and concurrency are whole numbers from 1 to 1000000000, for at most 20 models',
  ),
  'option.needs': no('请先填写 {needed}', 'Set {needed} first'),
  'option.locks_out': no(
    '这样超级管理员将无法登录：请保留密码登录，或先启用另一种登录方式并由超级管理员绑定',
    'The super administrator could not sign in any more: keep signing in with a password, or first enable another way in that the super administrator has bound',
  ),
  'option.keeps_default_group': no('分组倍率必须包含 default', 'The group ratios must contain default'),

  'analytics.range': no('结束时间必须晚于开始时间', 'The end must be later than the start'),
  'analytics.range_max': no('时间范围最长 {days} 天', 'The range may have at most {days} days'),
  'analytics.too_many_steps': no(
    '时间范围内的时间点过多，请选择更大的时间粒度',
    'The range has too many steps: choose a longer step or a shorter range',
  ),
  'recording.not_found': no('没有这次调用的记录内容', 'There is no recording of this call'),
  'recording.disabled': no(
    '管理员未启用调用记录，无法查看其他用户的记录内容',
    'Recording is not enabled, so that recordings of other users cannot be seen',
  ),
  'log.target_required': no('请指定清理的目标时间', 'A target time is required'),
  'mail.not_configured': no('管理员未配置邮件服务', 'No mail server is configured'),
  'mail.failed': no('邮件发送失败，请稍后再试', 'The mail could not be sent, try again later'),
  'mail.failed_because': no('邮件发送失败：{reason}', 'The mail could not be sent: {reason}'),
  'mail.too_often': at(429, '邮件发送过于频繁，请稍后再试', 'Mails were requested too often, try again later'),
  'outbound.refused_address': no('目标地址不允许访问', 'The target address is not allowed'),
  'outbound.failed': no('无法连接目标地址', 'The target address cannot be reached'),

  'input.malformed': at(400, '{reason}', '{reason}'),
  'input.refused': no('{reason}', '{reason}'),
  // The end of a sentence that begins with the field's name.
  'input.required': no('不能为空', 'is required'),
  'input.too_long': no('最长 {max} 个字符', 'must have at most {max} characters'),
  'input.too_short': no('至少需要 {min} 个字符', 'must have at least {min} characters'),
  'input.too_many': no('最多 {max} 项', 'must have at most {max} entries'),
  'input.too_few': no('至少需要 {min} 项', 'must have at least {min} entries'),
  'input.too_many_models': no('最多包含 20 个模型', 'must have at most 20 models'),
  'input.above': no('不能大于 {max}', 'must be at most {max}'),
  'input.below': no('不能小于 {min}', 'must be at least {min}'),
  'input.no_text': no('必须是文本', 'must be a text'),
  'input.no_number': no('必须是数字', 'must be a number'),
  'input.no_integer': no('必须是整数', 'must be a whole number'),
  'input.no_flag': no('必须是 true 或 false', 'must be true or false'),
  'input.no_list': no('必须是列表', 'must be a list'),
  'input.no_object': no('必须是 JSON 对象', 'must be a JSON object'),
  'input.not_among': no('只能是以下之一：{values}', 'must be one of: {values}'),
  'input.unknown_field': no('是未知的字段', 'is not a member that this call knows'),
  'input.zone': no('名称无效，例如 Asia/Shanghai', 'must be a name like Asia/Shanghai'),
  'input.tail_position': no('必须是实时日志给出的位置', 'must be a position that the live log has given'),
  'input.dimensions': no(
    '只能是一个维度或两个不同的维度；时间可以与任何维度组合，分组不能与模型或渠道组合，其余的都可以两两组合',
    'must be one dimension or two different ones: time goes with every other, group with neither model nor channel, and all others go together',
  ),
  'input.own_only': no(
    '在这里不可用：这里只有您自己的用量，不分用户、分组和渠道',
    'cannot be used here: this is your own usage, without users, groups and channels',
  ),
  'input.bad_format': no('格式不正确', 'is not valid'),
  'input.malformed_json': at(400, '请求内容不是合法的 JSON', 'The body is not valid JSON'),
  'input.too_large': at(413, '请求内容过大', 'The body is too large'),
  'input.reserved_name': at(
    400,
    '请求内容不能包含名为 __proto__ 的字段',
    'The body must not contain a member named __proto__',
  ),
  'input.unstorable': at(400, '请求包含无法保存的字符', 'The request contains a character that cannot be stored'),
  'input.control_characters': no('不能包含控制字符', 'must not contain control characters'),
  'input.email': no('格式不正确', 'is not valid'),
  'input.bad_host': at(400, '请求的 Host 头不合法', 'The Host header is malformed'),
  'input.bad_path': at(400, '请求路径不合法', 'The path is malformed'),
  'idempotency.bad_key': at(
    400,
    'Idempotency-Key 必须是 1 到 255 个可见的 ASCII 字符',
    'An Idempotency-Key has 1 to 255 visible ASCII characters',
  ),
  'idempotency.other_body': at(
    422,
    '这个 Idempotency-Key 已用于另一个请求',
    'This Idempotency-Key belongs to another request',
  ),
  'idempotency.unanswered': at(
    409,
    '上一次提交没有完成，无法确定是否已经生效，请先查看列表，再决定是否重新提交',
    'The earlier attempt did not finish and may have taken effect: look at the list before you send it again',
  ),
  'http.not_found': at(404, '接口不存在：{method} {path}', 'Invalid URL ({method} {path})'),
  'http.too_many': at(429, '请求过于频繁，请稍后再试', 'Too many requests, try again later'),
  'relay.no_key': at(
    401,
    '未提供 API 密钥，请在 Authorization: Bearer、x-api-key 或 x-goog-api-key 中提供',
    'No API key was given: send it as Authorization: Bearer, x-api-key or x-goog-api-key',
  ),
  'relay.bad_key': at(
    401,
    'API 密钥无效，请检查后重新填写，或在控制台新建令牌',
    'The API key is not valid: check it, or make a new one in the console',
  ),
  'relay.key_disabled': at(
    401,
    '该 API 密钥已被禁用，请在控制台启用，或使用其他密钥',
    'This API key is disabled: enable it in the console, or use another one',
  ),
  'relay.key_blocked': at(
    401,
    '该 API 密钥已被管理员禁用，原因：{reason}。请联系管理员，或使用其他密钥',
    'An administrator disabled this API key. Reason: {reason}. Ask the administrator, or use another key',
  ),
  'relay.key_expired': at(
    401,
    '该 API 密钥已过期，请在控制台修改过期时间，或使用其他密钥',
    'This API key has expired: set a later expiry in the console, or use another one',
  ),
  'relay.key_exhausted': at(
    429,
    '该 API 密钥的额度已用尽，请在控制台增加额度，或使用其他密钥',
    'The quota of this API key is used up: raise it in the console, or use another one',
  ),
  'relay.budget_spent': at(
    429,
    '{scope}的{period}预算{model}（{amount}）不足以支付这次调用{renewal}',
    'The {period} budget of {scope}{model} ({amount}) does not cover this call{renewal}',
  ),
  'relay.user_disabled': at(
    403,
    '账户已被封禁，请联系管理员',
    'This account is banned: ask the administrator to enable it',
  ),
  'relay.wrong_address': at(
    403,
    '该 API 密钥不允许从此地址使用，请在控制台把地址加入允许的网段',
    'This API key may not be used from this address: add the address to its subnets in the console',
  ),
  'relay.model_refused': at(
    403,
    '该 API 密钥无权使用模型 {model}{hint}',
    'This API key may not use the model {model}{hint}',
  ),
  'relay.rate_limited': at(
    429,
    '{whose}已达到速率限制：{kind}上限为 {limit}，请在 {seconds} 秒后再试',
    'The rate limit of {whose} is reached: at most {limit} {kind}. Try again in {seconds} s',
  ),
  'relay.limit_of_key': no('该 API 密钥', 'this API key'),
  'relay.limit_of_user': no('账户', 'the account'),
  'relay.limit_of_group': no('账户所在的分组', 'the group of the account'),
  'relay.limit_of_model': no('{whose}对模型 {model} ', '{whose} for the model {model}'),
  'relay.limit_rpm': no('每分钟请求数', 'requests per minute'),
  'relay.limit_tpm': no('每分钟 token 数', 'tokens per minute'),
  'relay.limit_concurrency': no('同时进行的调用数', 'calls at the same time'),
  'relay.pin_refused': at(
    403,
    '普通用户不支持指定渠道，请去掉密钥末尾的渠道编号',
    'Only administrators may choose a channel: leave out the number behind the key',
  ),
  'relay.pin_unknown': at(
    400,
    '指定的渠道不存在或未启用，请选择其他渠道',
    'The chosen channel does not exist or is disabled: choose another one',
  ),
  'relay.bad_body': at(400, '请求内容无效：{reason}', 'The request is not valid: {reason}'),
  'relay.unknown_model': at(
    404,
    '模型 {model} 不存在，或不对您开放{hint}',
    'The model {model} does not exist, or is not offered to you{hint}',
  ),
  'relay.near_model': no('；您是否想用 {near}？', ': did you mean {near}?'),
  'relay.listed_models': no('；可用的模型见 GET {list}', ': GET {list} names those you may use'),
  'relay.no_channel': at(
    503,
    '模型 {model} 的渠道因故障已全部停用，请稍后再试，或联系管理员',
    'All channels of the model {model} are switched off after failures: try again later, or tell the administrator',
  ),
  'relay.channels_resting': at(
    503,
    '模型 {model} 的渠道暂时都不可用，请在 {seconds} 秒后再试',
    'The channels of the model {model} are resting: try again in {seconds} s',
  ),
  'relay.unsupported': at(
    400,
    '提供该模型的渠道不支持此接口，请换用其他接口或模型',
    'No channel of this model supports this operation: use another operation or model',
  ),
  'relay.needs_socket': at(426, '此接口只接受 WebSocket 连接', 'This path is for WebSocket connections'),
  'relay.no_compaction': at(
    404,
    '提供该模型的渠道没有压缩对话的接口（/v1/responses/compact），请自行缩短对话，或换用 OpenAI 的模型',
    'No channel of this model can compact conversations (/v1/responses/compact): shorten the conversation yourself, or use a model of OpenAI',
  ),
  'relay.file_unknown': at(404, '没有文件 {id}', 'There is no file {id}'),
  'relay.file_purpose': at(
    400,
    '网关只接受用途为 batch 的文件（purpose: "batch"），收到的是 {purpose}',
    'Only files for batches are taken here (purpose: "batch"), not {purpose}',
  ),
  'relay.batch_unknown': at(404, '没有批处理 {id}', 'There is no batch {id}'),
  'relay.batch_line': at(
    400,
    '批处理的第 {line} 个请求无效：{reason}',
    'Request {line} of the batch is not valid: {reason}',
  ),
  'relay.batch_endpoint': at(
    400,
    '文件中的请求使用 {endpoint}，批处理的 endpoint 必须与之相同',
    'The requests of the file are for {endpoint}: the endpoint of the batch has to be the same',
  ),
  'relay.no_batches': at(
    400,
    '没有渠道能以批处理方式提供这些模型：{models}。支持批处理的渠道类型见使用指南',
    'No channel takes batches for these models together: {models}. Only some types of channels do; the guide lists them',
  ),
  'relay.no_background': at(
    400,
    '模型 {model} 的渠道不支持后台响应：请改用 stream: true，或去掉 background',
    'No channel of the model {model} makes responses in the background: ask for a stream, or leave background out',
  ),
  'relay.background_tools': at(
    400,
    '后台响应中不能使用会调用其他模型的工具（绘图、顾问），请去掉 background',
    'Tools that call other models (image generation, advisors) cannot be used in the background: leave background out',
  ),
  'relay.batch_channel_gone': at(
    409,
    '保存它的渠道已停用或不再向您开放，请重新上传文件',
    'The channel that has it is switched off, or no longer open to you: upload the file again',
  ),
  'relay.batch_running': at(
    409,
    '批处理 {id} 尚未结束，请结束后再试',
    'The batch {id} has not ended: try again when it has',
  ),
  'relay.no_videos': at(
    404,
    '模型 {model} 的渠道不能生成视频。支持 /v1/videos 的渠道类型见使用指南',
    'No channel of the model {model} makes videos. Only some types of channels have /v1/videos; the guide lists them',
  ),
  'relay.video_unknown': at(404, '没有视频 {id}', 'There is no video {id}'),
  'relay.video_running': at(
    409,
    '视频 {id} 尚未完成，请在其 status 为 completed 后再试',
    'The video {id} is not finished: try again when its status is completed',
  ),
  'relay.video_failed': at(400, '视频 {id} 生成失败，没有内容', 'The video {id} has failed: there is nothing to fetch'),
  'relay.video_seconds': at(400, 'seconds 只能是以下值：{seconds}', 'seconds has to be one of these: {seconds}'),
  'relay.video_size': at(400, 'size 只能是以下值：{sizes}', 'size has to be one of these: {sizes}'),
  'relay.video_channel_gone': at(
    409,
    '生成该视频的渠道已停用、已删除或不再向您开放',
    'The channel that made the video is switched off, removed, or no longer open to you',
  ),
  'relay.response_unknown': at(
    404,
    '这里没有响应 {id}：网关只在一小时内为调用者本人保留它自己翻译的响应，设置 store: false 的不保留，厂商自己保存的也不在这里',
    'The response {id} is not known here: the gateway keeps those that it translated, for an hour and for their own caller, unless store was false; what a vendor keeps itself cannot be fetched through it',
  ),
  'relay.response_done': at(
    400,
    '响应 {id} 已经完成，只有后台响应可以取消',
    'The response {id} is complete: only a response made in the background can be cancelled',
  ),
  'relay.not_found': at(
    404,
    '接口不存在，请检查地址：{method} {path}',
    'There is no such path, check the base URL: {method} {path}',
  ),
  'relay.wrong_method': at(
    405,
    '{path} 不接受 {method} 请求，请使用 {allowed}',
    '{path} does not take {method} requests: use {allowed}',
  ),
  'relay.upstream_failed': at(502, '上游服务暂时不可用，请稍后再试', 'The upstream service failed, try again later'),
  'relay.restarting': at(503, '网关正在重启，请稍后重试', 'The gateway is restarting, try again in a moment'),
  'relay.client_left': at(499, '客户端已断开连接', 'The client left before the answer'),
  'quota.user': at(
    429,
    '账户余额不足：这次调用需要 {needed}，请充值后再试',
    'The balance does not cover this call, which needs {needed}: top up the account',
  ),
  'quota.token': at(
    429,
    '该 API 密钥的剩余额度不足：这次调用需要 {needed}，请在控制台增加额度，或使用其他密钥',
    'The quota of this API key does not cover this call, which needs {needed}: raise it in the console, or use another key',
  ),
  'quota.rest': at(
    429,
    '账户余额不足以完成这次回答，请充值后再试',
    'The balance does not cover the rest of this answer: top up the account',
  ),

  'server.internal': at(500, '服务器内部错误，请联系管理员', 'Internal server error, please contact the administrator'),
  'server.busy': at(503, '服务器繁忙，请稍后再试', 'The server is busy, try again later'),
  'server.unavailable': at(503, '服务暂时不可用，请稍后再试', 'The service is not available right now'),
} as const satisfies Record<string, Entry>

export type ErrorCode = keyof typeof CATALOGUE

/** The form field that an error is about, by its wire name. */
const FIELDS: Partial<Record<ErrorCode, string>> = {
  'session.bad_credentials': 'password',
  'register.passwords_differ': 'password2',
  'register.username_taken': 'username',
  'register.email_required': 'email',
  'register.email_domain': 'email',
  'register.email_taken': 'email',
  'register.bad_code': 'verification_code',
  'oauth.bad_code': 'code',
  'user.below_zero': 'quota',
  'user.quota_bounds': 'quota',
  'user.name_too_long': 'username',
  'user.password_is_name': 'password',
  'user.wrong_password': 'current_password',
  'token.bad_subnet': 'subnet',
  'token.reason_missing': 'reason',
  'channel.unknown_type': 'type',
  'channel.bad_base_url': 'base_url',
  'channel.closed_address': 'base_url',
  'channel.file_passphrase': 'passphrase',
  'channel.file_wrong_passphrase': 'passphrase',
  'channel.key_required': 'key',
  'channel.key_retype': 'key',
  'channel.key_elsewhere': 'key',
  'channel.pool_key': 'key',
  'channel.bad_key': 'key',
  'channel.bad_region': 'region',
  'channel.bad_credentials': 'vertex_ai_adc',
  'channel.model_required': 'models',
  'channel.bad_mapping': 'model_mapping',
  'channel.bad_proxy': 'proxy',
  'channel.closed_proxy': 'proxy',
  'channel.too_many_rules': 'header_rules',
  'channel.bad_header_name': 'header_rules',
  'channel.closed_header': 'header_rules',
  'channel.header_twice': 'header_rules',
  'channel.header_value_required': 'header_rules',
  'channel.bad_header_value': 'header_rules',
  'channel.bad_body_path': 'body_rules',
  'channel.closed_body_path': 'body_rules',
  'channel.bad_body_value': 'body_rules',
  'channel.fixed_body': 'body_rules',
  'channel.group_required': 'group',
  'channel.name_required': 'name',
  'redemption.invalid': 'key',
  'redemption.used': 'key',
  'redemption.disabled': 'key',
}

export type Language = 'zh' | 'en'

interface Entry {
  status: number
  zh: string
  en: string
}

/** A value that is itself a sentence is given in both languages. */
type Values = Record<string, string | number | Text>

interface Extras extends ErrorOptions {
  /** Members beside the message, where existing clients read them even in an error. */
  beside?: Record<string, unknown>
}

/** The only error the server throws on purpose. Its text and `values` may be shown to anyone. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly values: Values
  readonly beside: Record<string, unknown> | undefined

  constructor(code: ErrorCode, values: Values = {}, extras?: Extras) {
    super(fill(CATALOGUE[code].en, values, 'en'), extras)
    this.name = 'GatewayError'
    this.code = code
    this.values = values
    this.beside = extras?.beside
  }

  get status(): number {
    return CATALOGUE[this.code].status
  }

  /** The field that the error is about, so that a form can show it there. */
  get field(): string | undefined {
    const { field } = this.values
    return typeof field === 'string' ? field : FIELDS[this.code]
  }

  in(language: Language) {
    return fill(CATALOGUE[this.code][language], this.values, language)
  }
}

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(CATALOGUE, text)
export const errorText = (code: ErrorCode, language: Language) => CATALOGUE[code][language]

function fill(text: string, values: Values, language: Language) {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole
    return typeof value === 'object' ? value[language] : String(value)
  })
}

function at(status: number, zh: string, en: string): Entry {
  return { status, zh, en }
}

/** An error inside a 200 answer. */
function no(zh: string, en: string): Entry {
  return at(200, zh, en)
}
