import { about, at, no } from './entry.ts'

/** Signing up and in, users. */
export const ACCOUNT_ERRORS = {
  'session.missing': at(401, '未登录或登录已过期，请先登录', 'You are not logged in, or the login has expired'),
  'session.bad_access_token': at(401, '访问令牌无效', 'The access token is not valid'),
  'session.forbidden': no('权限不足，无法进行此操作', 'You do not have permission to do this'),
  'session.banned': no('账户已被封禁', 'This account is banned'),
  'session.bad_credentials': about(
    'password',
    '用户名或密码错误，或账户已被封禁',
    'Wrong username or password, or the account is banned',
  ),
  'session.password_login_off': no('管理员关闭了密码登录', 'Password login is turned off'),
  'session.foreign_page': at(403, '请求来自其他站点，已拒绝', 'Refused: the request came from another site'),
  'session.unproven_page': at(
    403,
    '无法确认请求来自本站页面，已拒绝；程序请改用访问令牌',
    'Refused: cannot verify that the request came from a page of this site. Programs must use an access token',
  ),
  'session.interactive_only': no('此操作需要在网页登录后进行', 'This requires a browser login, not an access token'),

  'register.off': no('管理员关闭了新用户注册', 'Registration is turned off'),
  'register.password_off': no('管理员关闭了密码注册', 'Password registration is turned off'),
  'register.passwords_differ': about('password2', '两次输入的密码不一致', 'The two passwords do not match'),
  'register.username_taken': about(
    'username',
    '用户名已被占用，或与已有用户名过于相似',
    'This username is taken or too similar to an existing one',
  ),
  'register.email_required': about(
    'email',
    '请填写邮箱地址和验证码',
    'An e-mail address and verification code are required',
  ),
  'register.email_domain': about('email', '不支持该邮箱域名', 'This e-mail domain is not accepted'),
  'register.bad_code': about('verification_code', '验证码错误或已过期', 'The code is wrong or has expired'),
  'register.email_taken': about('email', '邮箱地址已被占用', 'This e-mail address is taken'),

  'reset.bad_token': no('重置链接无效或已过期', 'The reset link is not valid or has expired'),

  'turnstile.missing': no('请先完成人机验证', 'Please complete the human check first'),
  'turnstile.failed': no('人机验证未通过，请刷新后重试', 'The human check failed, please reload and try again'),

  'oauth.bad_state': at(
    403,
    '登录状态已失效，请重新发起',
    'This sign-in attempt is no longer valid, please start again',
  ),
  'oauth.bad_code': about('code', '验证码无效', 'The code is not valid'),
  'oauth.off': no('管理员未启用此登录方式', 'This sign-in method is turned off'),
  'oauth.unreachable': no(
    '暂时无法连接 {service}，请稍后再试',
    '{service} cannot be reached right now, try again later',
  ),
  'oauth.refused': no('{service} 拒绝了这次登录', '{service} refused this sign-in'),
  'oauth.already_bound': no('该 {service} 账户已绑定其他用户', 'This {service} account is bound to another user'),
  'oauth.admin_closed': no(
    '管理员账户默认不开放此登录方式，请用密码登录后在个人设置中开启',
    'This sign-in method is off for administrators by default. Log in with your password and allow it in your personal settings',
  ),

  'user.not_found': no('用户不存在', 'There is no such user'),
  'user.rank': no('无权操作同级或更高级别的用户', 'You can only manage users with a lower role'),
  'user.root_protected': no('不能对超级管理员执行此操作', 'This cannot be done to the super administrator'),
  'user.root_only': no('只有超级管理员可以进行此操作', 'Only the super administrator may do this'),
  'user.already_admin': no('该用户已经是管理员', 'This user is already an administrator'),
  'user.already_ordinary': no('该用户已经是普通用户', 'This user is already a regular user'),
  'user.bad_role': no('不支持的角色', 'This role cannot be assigned'),
  'user.bad_status': no('不支持的用户状态', 'This status cannot be set'),
  'user.below_zero': about('quota', '修改后额度会小于零', 'The change would take the quota below zero'),
  'user.quota_bounds': about('quota', '额度超出允许范围', 'The quota is outside the allowed range'),
  'user.name_too_long': about('username', '用户名最长 {max} 个字符', 'A username can have at most {max} characters'),
  'user.name_invisible': no('用户名不能包含不可见字符', 'A username cannot contain invisible characters'),
  'user.password_needed': no('请输入当前密码以确认此操作', 'Enter your current password to confirm this'),
  'user.wrong_password': about('current_password', '当前密码不正确', 'The current password is incorrect'),
  'user.password_is_name': about('password', '密码不能与用户名相同', 'The password must differ from the username'),
}
