import { isIPv4, isIPv6 } from 'node:net';

const groupBits = 16;

/**
 * The network of an address, for which requests are counted: of IPv6 its first bits, because one client has the whole of the
 * rest. An IPv4 address in the form of an IPv6 one is that address.
 */
export function networkOf(address: string, prefix: number): string {
  const [plain = ''] = address.split('%', 1);
  const mapped = /^::ffff:([\d.]+)$/i.exec(plain)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain).map((group, index) => {
    const kept = Math.min(Math.max(prefix - index * groupBits, 0), groupBits);
    return (group & (0xffff << (groupBits - kept)) & 0xffff).toString(16);
  });
  return `${groups.join(':')}/${prefix}`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const before = partsOf(head);
  const after = tail === undefined ? [] : partsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
