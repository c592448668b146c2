import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { Terminal } from '../../cli/terminal/terminal.ts';

const tty = { isTTY: true, cursorTo: () => true, clearLine: () => true, moveCursor: () => true };

it('ends with the first of several sessions that ends, so that the process can end', async () => {
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(
    Object.assign(new Writable({ write: (_, __, done) => done() }), tty) as unknown as typeof process.stderr,
  );
  const { progressOn } = await import('../../cli/terminal/terminal.ts');
  const { stdin, stderr } = process;
  const terminal: Terminal = { input: stdin, output: stderr, messages: stderr, env: {}, folder: '/' };
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const [files, service] = [progressOn(terminal, {}), progressOn(terminal, {})];
  const before = timers();
  service.say('comparing');
  const during = timers();
  files.stop();
  const after = timers();
  vi.restoreAllMocks();
  expect([during > before, after]).toEqual([true, before]);
});
