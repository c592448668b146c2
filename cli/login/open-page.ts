import { spawn } from 'node:child_process';
import type { Terminal } from '../terminal/terminal.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // Not `start`, which is part of a shell that reads `&`.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** The server says where to sign in: an address of another scheme would start a program of this machine. */
export function isWebPage(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname ?? ''));
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Opens an address where somebody sits at a screen; on other machines it prints the address instead. */
export function openPage(address: string, { messages, env }: Terminal): void {
  const [command, ...args] = openers[process.platform] ?? [];
  const hasScreen = process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
  if (command === undefined || messages.isTTY !== true || !hasScreen || !isWebPage(address)) return;
  const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
