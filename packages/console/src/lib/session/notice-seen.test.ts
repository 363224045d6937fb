import { expect, test } from 'bun:test'
import { fingerprint, isSeen } from './notice-seen.ts'

test('a changed notice has another fingerprint', () => {
  expect(fingerprint('维护公告')).toBe(fingerprint('维护公告'))
  expect(fingerprint('维护公告')).not.toBe(fingerprint('维护公告！'))
  expect(fingerprint('')).not.toBe(fingerprint(' '))
})

test('a prompt flag set to true hides the notice; a new one appears if it is known which was shown [R3.29]', () => {
  const shown = fingerprint('旧公告')
  expect(isSeen('公告', { flag: 'true', shown: null })).toBe(true)
  expect(isSeen('旧公告', { flag: 'true', shown })).toBe(true)
  expect(isSeen('新公告', { flag: 'true', shown })).toBe(false)
  expect(isSeen('公告', { flag: null, shown: null })).toBe(false)
})

test('a notice that an earlier version has shown is not shown again', () => {
  expect(isSeen('旧公告', { flag: fingerprint('旧公告'), shown: null })).toBe(true)
  expect(isSeen('新公告', { flag: fingerprint('旧公告'), shown: null })).toBe(false)
})
