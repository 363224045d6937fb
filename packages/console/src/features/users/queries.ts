import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type ManageAction, Role, type Sent, type User, type UserFilter, UserStatus, users } from '@tollgate/contract'
import type { z } from 'zod'
import { call, callPage, type ListPage } from '../../api/call.ts'
import { patchRow } from '../../api/list-cache.ts'
import { ownUser } from '../../api/own-user.ts'
import { recordOf } from '../../api/record-of.ts'
import { useSend } from '../../api/use-send.ts'
import { sizeQuery } from '../../lib/lists/rows-per-page.ts'
import { textNow } from '../../text/text.ts'
import { usersText } from '../../text/users.ts'

const LIST = ['users', 'list'] as const

/** A deleted user's row is hidden at once; the list follows. */
export type ListedUser = User & { deleted?: boolean }

export type Action = z.infer<typeof ManageAction>

export interface UserListFilter extends Partial<UserFilter> {
  keyword: string
  order: '' | 'quota' | 'used_quota' | 'request_count'
}

export const userList =
  ({ keyword, ...filter }: UserListFilter, rows: number) =>
  (page: number) =>
    queryOptions({
      queryKey: [...LIST, keyword, filter, rows, page],
      queryFn: (): Promise<ListPage<ListedUser>> =>
        keyword === ''
          ? callPage(users.list, { query: { p: page, ...sizeQuery(rows), ...filter } })
          : callPage(users.search, { query: { p: page, ...sizeQuery(rows), keyword, ...filter } }),
      select: withoutDeleted,
    })

export const userById = (id: number) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: () => recordOf(id, textNow(usersText).missing, () => call(users.get, { params: { id } })),
    meta: { shown: true },
  })

/** The expected result of an action, shown before the server has answered. */
const FORESEEN: Readonly<Record<Action, Partial<User>>> = {
  promote: { role: Role.admin },
  demote: { role: Role.user },
  disable: { status: UserStatus.banned },
  enable: { status: UserStatus.enabled },
  delete: {},
}

export function useManageUser() {
  const client = useQueryClient()
  const patch = (change: Partial<ListedUser> & { id: number }) => patchRow<ListedUser>(client, LIST, change)
  return useSend({
    mutationFn: ({ user, action }: { user: User; action: Action }) =>
      call(users.manage, { body: { username: user.username, action } }),
    onMutate: async ({ user, action }) => {
      await client.cancelQueries({ queryKey: LIST })
      return { undo: patch({ id: user.id, ...FORESEEN[action] }) }
    },
    onError: (_error, _variables, context) => context?.undo(),
    onSuccess: ({ role, status }, { user, action }) => {
      if (action !== 'delete') return void patch({ id: user.id, role, status })
      patch({ id: user.id, deleted: true })
      void client.invalidateQueries({ queryKey: LIST })
    },
  })
}

export function useCreateUser() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof users.create>['body']) => call(users.create, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['users'] }),
  })
}

export function useCreditUser() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof users.adminTopUp>['body']) => call(users.adminTopUp, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['users'] }),
  })
}

export function useUpdateUser() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof users.update>['body']) => call(users.update, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['users'] }),
  })
}

export function useUpdateSelf() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof users.updateSelf>['body']) => call(users.updateSelf, { body }),
    onSuccess: (user) => {
      client.setQueryData(ownUser.queryKey, user)
      void client.invalidateQueries({ queryKey: LIST })
    },
  })
}

function withoutDeleted(page: ListPage<ListedUser>): ListPage<ListedUser> {
  return { ...page, rows: page.rows.filter(({ deleted }) => deleted !== true) }
}
