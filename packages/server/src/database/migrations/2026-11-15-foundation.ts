import { type Kysely, sql } from 'kysely'

/**
 * The first schema: accounts and their sessions, API tokens, channels, redemption codes, options, logs, and the books.
 *
 * Money: `users.quota` is the posted balance and changes only together with a row in `ledger`; `held` is the sum of the
 * open holds, quota set aside for calls that are still running. `UNIQUE(kind, ref)` makes every posting happen once.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string; real: string }) {
  const { id, int, real } = types
  const statements = [
    'CREATE TABLE meta (key text PRIMARY KEY, value text NOT NULL)',

    `CREATE TABLE users (
      id ${id},
      username text NOT NULL UNIQUE,
      password text NOT NULL,
      password_default ${int} NOT NULL DEFAULT 0,
      display_name text NOT NULL,
      role ${int} NOT NULL,
      status ${int} NOT NULL CHECK (status IN (1, 2, 3)),
      email text UNIQUE,
      github_id text UNIQUE,
      wechat_id text UNIQUE,
      lark_id text UNIQUE,
      access_token_hash text UNIQUE,
      auth_version ${int} NOT NULL DEFAULT 1,
      external_login ${int} NOT NULL DEFAULT 0,
      "group" text NOT NULL,
      quota ${int} NOT NULL DEFAULT 0 CHECK (quota BETWEEN -9000000000000000 AND 9000000000000000),
      held ${int} NOT NULL DEFAULT 0 CHECK (held >= 0),
      used_quota ${int} NOT NULL DEFAULT 0,
      request_count ${int} NOT NULL DEFAULT 0,
      aff_code text NOT NULL UNIQUE,
      inviter_id ${int},
      created_time ${int} NOT NULL
    )`,

    `CREATE TABLE sessions (
      id_hash text PRIMARY KEY,
      user_id ${int} NOT NULL REFERENCES users (id),
      auth_version ${int} NOT NULL,
      created_at ${int} NOT NULL,
      seen_at ${int} NOT NULL,
      ip text NOT NULL,
      user_agent text NOT NULL
    )`,
    'CREATE INDEX sessions_user ON sessions (user_id)',
    'CREATE INDEX sessions_seen ON sessions (seen_at)',

    `CREATE TABLE tokens (
      id ${id},
      user_id ${int} NOT NULL REFERENCES users (id),
      name text NOT NULL,
      key_hash text NOT NULL UNIQUE,
      key_sealed text NOT NULL,
      status ${int} NOT NULL CHECK (status IN (1, 2, 3, 4)),
      created_time ${int} NOT NULL,
      accessed_time ${int} NOT NULL,
      expired_time ${int} NOT NULL,
      remain_quota ${int} NOT NULL DEFAULT 0 CHECK (remain_quota BETWEEN -9000000000000000 AND 9000000000000000),
      held ${int} NOT NULL DEFAULT 0 CHECK (held >= 0),
      used_quota ${int} NOT NULL DEFAULT 0,
      unlimited_quota ${int} NOT NULL DEFAULT 0 CHECK (unlimited_quota IN (0, 1)),
      models text NOT NULL,
      subnet text NOT NULL,
      deleted_at ${int}
    )`,
    'CREATE INDEX tokens_user ON tokens (user_id, id)',

    `CREATE TABLE channels (
      id ${id},
      type ${int} NOT NULL,
      name text NOT NULL,
      key_sealed text NOT NULL,
      key_hint text NOT NULL,
      base_url text NOT NULL,
      other text NOT NULL,
      config text NOT NULL,
      secrets_sealed text NOT NULL,
      models text NOT NULL,
      "group" text NOT NULL,
      model_mapping text NOT NULL,
      system_prompt text NOT NULL,
      test_model text NOT NULL,
      status ${int} NOT NULL CHECK (status IN (1, 2, 3)),
      status_reason text NOT NULL,
      priority ${int} NOT NULL,
      weight ${int} NOT NULL CHECK (weight >= 0),
      created_time ${int} NOT NULL,
      test_time ${int} NOT NULL DEFAULT 0,
      response_time ${int} NOT NULL DEFAULT 0,
      balance ${real} NOT NULL DEFAULT 0,
      balance_updated_time ${int} NOT NULL DEFAULT 0,
      used_quota ${int} NOT NULL DEFAULT 0
    )`,

    `CREATE TABLE redemptions (
      id ${id},
      user_id ${int} NOT NULL,
      name text NOT NULL,
      key_hash text NOT NULL UNIQUE,
      key_sealed text NOT NULL,
      status ${int} NOT NULL CHECK (status IN (1, 2, 3)),
      quota ${int} NOT NULL CHECK (quota > 0),
      created_time ${int} NOT NULL,
      redeemed_time ${int} NOT NULL DEFAULT 0,
      used_user_id ${int}
    )`,

    'CREATE TABLE options (key text PRIMARY KEY, value text NOT NULL)',

    `CREATE TABLE logs (
      id ${id},
      user_id ${int} NOT NULL,
      created_at ${int} NOT NULL,
      type ${int} NOT NULL,
      channel ${int} NOT NULL,
      username text NOT NULL,
      token_name text NOT NULL,
      model_name text NOT NULL,
      prompt_tokens ${int} NOT NULL,
      completion_tokens ${int} NOT NULL,
      quota ${int} NOT NULL,
      content text NOT NULL,
      content_en text NOT NULL
    )`,
    'CREATE INDEX logs_created ON logs (created_at)',
    'CREATE INDEX logs_user ON logs (user_id, created_at)',

    `CREATE TABLE owners (
      epoch text PRIMARY KEY,
      node text NOT NULL,
      started_at ${int} NOT NULL,
      closed_at ${int}
    )`,

    `CREATE TABLE holds (
      id text PRIMARY KEY,
      epoch text NOT NULL REFERENCES owners (epoch),
      user_id ${int} NOT NULL REFERENCES users (id),
      token_id ${int} NOT NULL REFERENCES tokens (id),
      channel_id ${int},
      amount ${int} NOT NULL CHECK (amount >= 0),
      limited ${int} NOT NULL CHECK (limited IN (0, 1)),
      progress ${int} NOT NULL DEFAULT 0 CHECK (progress >= 0),
      state ${int} NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 3, 4)),
      actual ${int} CHECK (actual >= 0),
      price text NOT NULL,
      created_at ${int} NOT NULL,
      closed_at ${int}
    )`,
    'CREATE INDEX holds_open_epoch ON holds (epoch) WHERE state = 0',
    'CREATE INDEX holds_open_user ON holds (user_id) WHERE state = 0',

    `CREATE TABLE ledger (
      id ${id},
      ts ${int} NOT NULL,
      kind text NOT NULL,
      ref text NOT NULL,
      user_id ${int} NOT NULL REFERENCES users (id),
      token_id ${int},
      channel_id ${int},
      actor_id ${int},
      delta ${int} NOT NULL,
      balance ${int} NOT NULL,
      UNIQUE (kind, ref)
    )`,
    'CREATE INDEX ledger_user ON ledger (user_id, id)',

    `CREATE TABLE mail_codes (
      purpose text NOT NULL,
      email text NOT NULL,
      code_hash text NOT NULL,
      tries ${int} NOT NULL,
      created_at ${int} NOT NULL,
      expires_at ${int} NOT NULL,
      PRIMARY KEY (purpose, email)
    )`,

    `CREATE TABLE oauth_states (
      state_hash text PRIMARY KEY,
      browser_hash text NOT NULL,
      user_id ${int},
      expires_at ${int} NOT NULL
    )`,

    `CREATE TABLE audit_events (
      id ${id},
      created_at ${int} NOT NULL,
      actor_id ${int} NOT NULL,
      actor_name text NOT NULL,
      action text NOT NULL,
      target text NOT NULL,
      before text,
      after text,
      ip text NOT NULL
    )`,
    'CREATE INDEX audit_events_target ON audit_events (target, id)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
