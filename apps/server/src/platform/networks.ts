/** Lists of addresses and networks, as settings name them: `10.0.0.0/8, 2001:db8::1`. */
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Returns whether the text is an address, or a network with its prefix length. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/** Creates a function that checks whether an address is this machine's own or in one of the networks. */
export function addressesOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8, 'ipv4');
  list.addAddress('::1', 'ipv6');
  for (const one of networks) {
    const [address = '', prefix] = one.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
