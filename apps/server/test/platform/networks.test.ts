import { describe, expect, test } from 'vitest';
import { addressesOf, isNetwork } from '../../src/platform/networks.ts';

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['2001:db8::/129', false],
  ['10.0.0', false],
  ['10.0.0.0/8/8', false],
  ['/8', false],
])('%s is an address or a network: %s', (text, is) => expect(isNetwork(text)).toBe(is));

describe('allowed addresses', () => {
  const letIn = addressesOf(['10.1.0.0/16', '2001:db8::5']);
  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['2001:db8::5', true],
    ['10.2.0.1', false],
    ['2001:db8::6', false],
    ['203.0.113.7', false],
    ['', false],
    ['unknown', false],
  ])('%s: %s', (address, is) => expect(letIn(address)).toBe(is));
});
