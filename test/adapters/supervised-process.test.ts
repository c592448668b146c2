import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startSupervised, stopSupervised } from '../../local/emulators/supervised-process.ts';

// What a shell finds beside Node on one machine is not there on another.
const bare = { env: { PATH: '' } };

describe.skipIf(process.platform === 'win32')('a supervised program', () => {
  it('runs to its own end where the PATH holds nothing', async () => {
    const child = startSupervised(process.execPath, ['-e', 'process.exit(3)'], bare);
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it('ends when it is stopped', async () => {
    const child = startSupervised(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], bare);
    await stopSupervised(child);
    expect(child.exitCode).not.toBeNull();
  });
});
