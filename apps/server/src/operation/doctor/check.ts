/** One check of the doctor. */

import type { Finding } from '@lms-admin/contract/system';

export type { Finding } from '@lms-admin/contract/system';
export type CheckState = Finding['state'];

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message, next: '' });
export const warn = (check: string, message: string, next: string): Finding => ({
  check,
  state: 'warn',
  message,
  next,
});
export const fail = (check: string, message: string, next: string): Finding => ({
  check,
  state: 'fail',
  message,
  next,
});
export const skip = (check: string, message: string, next = ''): Finding => ({
  check,
  state: 'skip',
  message,
  next,
});
