import { Database } from 'bun:sqlite'
import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/* Databases of other gateways, with the tables and columns that those programs create. */

type Row = Record<string, string | number | null>
export type Rows = Partial<Record<string, Row[]>>

const ONE_API = `
  CREATE TABLE users (id integer PRIMARY KEY AUTOINCREMENT, username text UNIQUE, password text NOT NULL, display_name text,
    role integer DEFAULT 1, status integer DEFAULT 1, email text, github_id text, wechat_id text, lark_id text, oidc_id text,
    access_token char(32), quota integer DEFAULT 0, used_quota integer DEFAULT 0, request_count integer DEFAULT 0,
    "group" varchar(32) DEFAULT 'default', aff_code varchar(32), inviter_id integer);
  CREATE TABLE tokens (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, key char(48), status integer DEFAULT 1, name text,
    created_time integer, accessed_time integer, expired_time integer DEFAULT -1, remain_quota integer DEFAULT 0,
    unlimited_quota numeric DEFAULT 0, used_quota integer DEFAULT 0, models text, subnet text DEFAULT '');
  CREATE TABLE channels (id integer PRIMARY KEY AUTOINCREMENT, type integer DEFAULT 0, key text, status integer DEFAULT 1, name text,
    weight integer DEFAULT 0, created_time integer, test_time integer, response_time integer, base_url text DEFAULT '', other text,
    balance real, balance_updated_time integer, models text, "group" varchar(32) DEFAULT 'default', used_quota integer DEFAULT 0,
    model_mapping varchar(1024) DEFAULT '', priority integer DEFAULT 0, config text, system_prompt text);
  CREATE TABLE redemptions (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, key char(32), status integer DEFAULT 1, name text,
    quota integer DEFAULT 100, created_time integer, redeemed_time integer);
  CREATE TABLE options (key text PRIMARY KEY, value text);
  CREATE TABLE logs (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, created_at integer, type integer, content text, username text,
    token_name text, model_name text, quota integer, prompt_tokens integer, completion_tokens integer, channel_id integer,
    request_id text, elapsed_time integer, is_stream numeric, system_prompt_reset numeric);`

const NEW_API = `
  CREATE TABLE users (id integer PRIMARY KEY AUTOINCREMENT, username text UNIQUE, password text NOT NULL, display_name text,
    role integer DEFAULT 1, status integer DEFAULT 1, email text, github_id text, discord_id text, oidc_id text, wechat_id text,
    telegram_id text, access_token char(32), quota integer DEFAULT 0, used_quota integer DEFAULT 0, request_count integer DEFAULT 0,
    "group" varchar(64) DEFAULT 'default', aff_code varchar(32), aff_count integer, aff_quota integer, aff_history integer,
    inviter_id integer, deleted_at datetime, setting text, created_at integer);
  CREATE TABLE tokens (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, key varchar(128), status integer DEFAULT 1, name text,
    created_time integer, accessed_time integer, expired_time integer DEFAULT -1, remain_quota integer DEFAULT 0,
    unlimited_quota numeric DEFAULT 0, model_limits_enabled numeric DEFAULT 0, model_limits text, allow_ips text,
    used_quota integer DEFAULT 0, "group" text DEFAULT '', deleted_at datetime);
  CREATE TABLE channels (id integer PRIMARY KEY AUTOINCREMENT, type integer DEFAULT 0, key text, test_model text, status integer DEFAULT 1,
    name text, weight integer DEFAULT 0, base_url text DEFAULT '', other text, models text, "group" varchar(64) DEFAULT 'default',
    used_quota integer DEFAULT 0, model_mapping text, status_code_mapping varchar(1024), priority integer DEFAULT 0, tag text,
    setting text, param_override text, header_override text, channel_info json);
  CREATE TABLE redemptions (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, key char(32), status integer DEFAULT 1, name text,
    quota integer DEFAULT 100, created_time integer, redeemed_time integer, used_user_id integer, deleted_at datetime,
    expired_time integer);
  CREATE TABLE options (key text PRIMARY KEY, value text);
  CREATE TABLE logs (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, created_at integer, type integer, content text, username text,
    token_name text, model_name text, quota integer, prompt_tokens integer, completion_tokens integer, use_time integer,
    is_stream numeric, channel_id integer, request_id varchar(64), other text);`

/** The path of a database with these rows; it is removed after the test. */
export const sourceFile = (kind: 'one-api' | 'new-api', rows: Rows) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-source-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, `${kind}.db`)
  const file = new Database(path)
  file.run('PRAGMA journal_mode = DELETE')
  for (const statement of (kind === 'one-api' ? ONE_API : NEW_API).split(';'))
    if (statement.trim() !== '') file.run(statement)
  for (const [table, list = []] of Object.entries(rows)) {
    for (const row of list) {
      const columns = Object.keys(row)
      const places = columns.map(() => '?').join(', ')
      file.run(
        `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${places})`,
        Object.values(row),
      )
    }
  }
  file.close()
  return path
}

/** As both programs hash a password; the lowest cost, for the test's sake. */
export const bcrypt = (password: string) => Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })
