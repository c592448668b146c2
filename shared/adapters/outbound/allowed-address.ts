import { BlockList, isIP } from 'node:net';

/** Blocks of the IANA special-purpose registries, and multicast: nothing that is reached by the public Internet. */
const special: Readonly<Record<'ipv4' | 'ipv6', readonly string[]>> = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
  ],
  // Only 2000::/3 is public; an address that embeds an IPv4 one reaches that.
  ipv6: ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
};

// A list of both would take an IPv4 address for the IPv6 one that holds it.
const blocked = { ipv4: blocksOf('ipv4'), ipv6: blocksOf('ipv6') } as const;

function blocksOf(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const block of special[family]) {
    const [net = '', length] = block.split('/');
    list.addSubnet(net, Number(length), family);
  }
  return list;
}

/** Whether an IP address is of the public Internet. A text that is no IP address is not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return version !== 0 && !blocked[family].check(address, family);
}

/** By the URL only: https to a public host, or an allowed host (`name:port`). Plain http only to this machine. */
export function isAllowedUrl(url: URL, allowedHosts: ReadonlySet<string>): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  if (allowedHosts.has(url.host)) return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host));
  if (url.protocol !== 'https:') return false;
  return isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

/** Names that are never public: without a dot, or under a domain that is set apart. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|test|invalid)$/.test(host.toLowerCase());
