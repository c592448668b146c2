import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the program beside a reader whose input ends when this process does, however it dies, and which then ends the
 * program. Only what the shell itself knows: a PATH may hold nothing but Node.
 * Its own session keeps Ctrl-C from reaching it before requests under way have finished.
 */
const supervisor =
  'exec 3<&0; "$@" >/dev/null 2>&1 & program=$!; { while read -r _; do :; done; kill "$program"; } <&3 >/dev/null 2>&1 & wait "$program"';

/** Starts a program that ends with this process at the latest. */
export function startSupervised(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'env' | 'cwd'> = {},
): ChildProcess {
  const settings: SpawnOptions = { ...options, stdio: ['pipe', 'ignore', 'ignore'] };
  return process.platform === 'win32'
    ? spawn(program, args, settings)
    : spawn('/bin/sh', ['-c', supervisor, 'sh', program, ...args], { ...settings, detached: true });
}

/** Ends what was started so, and waits for it. */
export async function stopSupervised(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (process.platform === 'win32') child.kill();
  child.stdin?.destroy();
  await ended;
}
