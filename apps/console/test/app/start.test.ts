import { describe, expect, it } from 'vitest';
import { parseSignInError } from '../../src/app/sign-in/sign-in-error.ts';
import { decideStart, ownPath, withoutSignIn } from '../../src/app/sign-in/start.ts';

describe('opening a page', () => {
  it('AUTH-04 shows the welcome screen without a session and without a code', () => {
    expect(decideStart('', false)).toEqual({ kind: 'welcome' });
    expect(decideStart('?tab=2', false)).toEqual({ kind: 'welcome' });
  });

  it('AUTH-07 exchanges a code together with its state', () => {
    expect(decideStart('?code=abc&state=xyz', false)).toEqual({
      kind: 'exchange',
      code: 'abc',
      state: 'xyz',
    });
    expect(decideStart('?code=abc', false)).toEqual({ kind: 'exchange', code: 'abc', state: null });
  });

  it('OP-06 prefers a valid session to a code', () => {
    expect(decideStart('?code=abc&state=xyz', true)).toEqual({ kind: 'signed-in' });
  });

  it('AUTH-12 goes home when the person was rejected or came back from the sign-in page without a code', () => {
    expect(decideStart('?error=access_denied&state=xyz', false)).toEqual({ kind: 'refused' });
    expect(decideStart('?error=1', false)).toEqual({ kind: 'welcome' });
  });

  it('OP-06 removes code and state from the address and keeps the rest', () => {
    expect(withoutSignIn('?code=abc&state=xyz')).toBe('');
    expect(withoutSignIn('?a=1&code=abc&state=xyz&b=2')).toBe('?a=1&b=2');
    expect(withoutSignIn('?state=open')).toBe('?state=open');
    expect(withoutSignIn('')).toBe('');
  });

  it('OP-07 returns only to paths of the console', () => {
    const origin = 'https://console.example';
    expect(ownPath('/users?x=1#y', origin)).toBe('/users?x=1#y');
    for (const path of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/..//evil.example',
      '/x/..//evil.example',
      'users',
      '',
      'javascript:1',
    ])
      expect(ownPath(path, origin)).toBe('/');
  });
});

describe('the sign-in error', () => {
  it('AUTH-18 is read from the error cookie', () => {
    expect(parseSignInError('{"heading":"a","body":"b"}')).toEqual({ heading: 'a', body: 'b' });
  });

  it('is empty when the cookie contains something else', () => {
    for (const text of [null, '', 'x', '1', 'null', '{"heading":1,"body":"b"}', '{"heading":"a"}'])
      expect(parseSignInError(text)).toBeNull();
  });
});
