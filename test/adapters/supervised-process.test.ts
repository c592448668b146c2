import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startSupervised, stopSupervised } from '../../local/emulators/supervised-process.ts';
import { isListening } from '../support/service-process.ts';

// What a shell finds beside Node on one machine is not there on another.
const bare = { env: { PATH: '' } };

// The way of Windows needs nothing but Node, so that it runs on every system; the other one needs a shell.
const platforms = process.platform === 'win32' ? (['win32'] as const) : (['linux', 'win32'] as const);

describe.each(platforms)('a supervised program as %s has it', (platform) => {
  it('runs to its own end if the PATH holds nothing', async () => {
    const child = startSupervised(process.execPath, ['-e', 'process.exit(3)'], { ...bare, platform });
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it('ends when it is stopped', async () => {
    const child = startSupervised(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { ...bare, platform });
    await stopSupervised(child);
    expect(child.exitCode).not.toBeNull();
  });

  it('ends with the process that started it, however that dies', async () => {
    const module = JSON.stringify(new URL('../../local/emulators/supervised-process.ts', import.meta.url).href);
    const server = `require('node:net').createServer().listen(0, '127.0.0.1', function () {
      require('node:fs').writeFileSync(process.argv[1], String(this.address().port)); })`;
    const starter = `import(${module}).then(({ startSupervised }) => startSupervised(
      process.execPath, ['-e', ${JSON.stringify(server)}, process.argv[1]], { platform: '${platform}' }))`;
    const folder = mkdtempSync(path.join(tmpdir(), 'supervised-'));
    const file = path.join(folder, 'port');
    const parent = spawn(process.execPath, ['-e', starter, file], { stdio: 'ignore' });
    const url = await vi.waitFor(() => `http://127.0.0.1:${portIn(file)}`, 30_000);
    expect(await isListening(url)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(async () => expect(await isListening(url)).toBe(false), 30_000);
    rmSync(folder, { recursive: true });
  });
});

function portIn(file: string): string {
  const port = readFileSync(file, 'utf8');
  if (port === '') throw new Error('The port is not written yet.');
  return port;
}
