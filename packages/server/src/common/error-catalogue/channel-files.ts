import { about, no } from './entry.ts'

/** Changes of many channels: in bulk, exports and imports. */
export const CHANNEL_FILE_ERRORS = {
  'channel.export_too_many': no(
    '一个文件最多 {max} 个渠道，请用筛选条件分几次导出',
    'A file can have at most {max} channels. Use filters to export in several parts',
  ),
  'channel.export_too_long': no(
    '文件会超过 {max} MB，无法再导入，请用筛选条件分几次导出',
    'The file would be larger than {max} MB and could not be imported. Use filters to export in several parts',
  ),
  'channel.export_root_only': no('只有超级管理员可以导出密钥', 'Only the super administrator can export keys'),
  'channel.export_csv_secrets': no('CSV 文件不能包含密钥，请选择 JSON', 'A CSV file cannot contain keys. Choose JSON'),
  'channel.file_unreadable': no(
    '文件既不是渠道的 JSON 文件，也不是带有 type 和 name 列的 CSV 表格',
    'The file is neither a JSON file of channels nor a CSV table with the columns type and name',
  ),
  'channel.file_version': no(
    '文件由更新的版本导出（格式 {version}），请升级后再导入',
    'The file was exported by a newer version (format {version}); upgrade first',
  ),
  'channel.file_column': no('不认识的列：{name}', 'Unknown column: {name}'),
  'channel.file_column_twice': no('表头里有两列 {name}', 'The column {name} is in the header twice'),
  'channel.file_quote': no('第 {row} 行的引号没有结束', 'A quotation mark in row {row} is not closed'),
  'channel.file_cells': no(
    '这一行有 {count} 个单元格，表头有 {columns} 个',
    'The row has {count} cells, but the header has {columns}',
  ),
  'channel.file_too_many': no('一个文件最多 {max} 个渠道', 'A file can have at most {max} channels'),
  'channel.file_empty': no('文件里没有渠道', 'The file contains no channels'),
  'channel.file_passphrase': about(
    'passphrase',
    '文件中的密钥已加密，请填写导出时的口令',
    'The keys in the file are encrypted. Enter the passphrase used for the export',
  ),
  'channel.file_wrong_passphrase': about(
    'passphrase',
    '口令不正确，或文件已损坏',
    'The passphrase is wrong, or the file is damaged',
  ),
  'channel.file_sealing': no('文件的加密方式不受支持', 'The encryption of this file is not supported'),
  'channel.file_pool': no(
    '该渠道有多个密钥：文件不能改变它的密钥或请求地址',
    'This channel has several keys: a file cannot change its keys or its address',
  ),
  'channel.file_keys': no(
    '该渠道已经存在：文件只能给它一个密钥，其他密钥请在渠道的密钥列表中添加',
    'This channel already exists: a file can give it only one key. Add further keys in the list of its keys',
  ),
  'channel.file_moved': no(
    '这个渠道的密钥是为另一个地址、类型或账户导出的，无法使用',
    'The keys of this channel were exported for another address, type or account and cannot be used',
  ),
  'channel.file_ambiguous': no(
    '有多个渠道的名称和类型与此相同，无法确定是哪一个',
    'Several channels have this name and type, so it is unclear which one is meant',
  ),
  'channel.bulk_which': no(
    '请用 ID 或筛选条件之一说明要修改哪些渠道',
    'Specify the channels either by ID or by a filter',
  ),
  'channel.bulk_none': no('没有符合条件的渠道', 'No channels match'),
  'channel.bulk_too_many': no('一次最多修改 {max} 个渠道', 'At most {max} channels can be changed at once'),
  'channel.bulk_gone': no(
    '其中 {count} 个渠道已不存在，请重新选择',
    '{count} of the channels no longer exist. Select again',
  ),
  'channel.bulk_nothing': no('请填写要修改的内容', 'Specify what to change'),
  'channel.bulk_remove_alone': no('删除不能与其他修改同时进行', 'Deleting cannot be combined with other changes'),
  'channel.bulk_group_twice': no(
    '设置分组不能与添加或移除分组同时进行',
    'Setting groups cannot be combined with adding or removing groups',
  ),
  'channel.bulk_proxy_root_only': no(
    '只有超级管理员可以不重新填写密钥就修改代理',
    'Only the super administrator can change proxies without entering the keys again',
  ),
  'channel.bulk_no_proxy': no(
    '请填写代理地址，账号和密码是给它的',
    'Enter the address of the proxy for this user and password',
  ),
  'channel.bulk_no_group': no(
    '渠道 {name} 将没有任何分组，没有修改任何渠道',
    'The channel {name} would have no group left, so no channel was changed',
  ),
  'channel.bulk_no_model': no(
    '渠道 {name} 将没有任何模型，没有修改任何渠道',
    'The channel {name} would have no model left, so no channel was changed',
  ),
}
