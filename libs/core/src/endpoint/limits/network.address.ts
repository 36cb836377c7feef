import { isIPv6 } from 'node:net';

const groupBits = 16;

/** The groups in front of an IPv4 address that is written as an IPv6 one. */
const mappedGroups = [0, 0, 0, 0, 0, 0xffff].join();

/**
 * The network of an address, for which requests are counted: of IPv6 its first bits, because one client has the whole of the
 * rest. An IPv4 address in the form of an IPv6 one is that address. A port is no part of
 * it.
 */
export function networkOf(address: string, prefix: number): string {
  const bare = withoutPort(address);
  const [plain = ''] = bare.split('%', 1);
  if (!isIPv6(plain)) return bare;
  const all = groupsOf(plain);
  const [high = 0, low = 0] = all.slice(6);
  if (all.slice(0, 6).join() === mappedGroups) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const groups = all.map((group, index) => {
    const kept = Math.min(Math.max(prefix - index * groupBits, 0), groupBits);
    return (group & (0xffff << (groupBits - kept)) & 0xffff).toString(16);
  });
  return `${groups.join(':')}/${prefix}`;
}

/** An address as some proxies write it in `X-Forwarded-For`: with the port of a connection, which is another one each time. */
function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[(.*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(address) ?? [];
  return bracketed ?? plain ?? address;
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
