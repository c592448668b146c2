import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A reader whose input ends with this process ends the program. Only built-ins: PATH may hold nothing but Node. */
const shellSupervisor =
  'exec 3<&0; "$@" >/dev/null 2>&1 & program=$!; { while read -r _; do :; done; kill "$program"; } <&3 >/dev/null 2>&1 & wait "$program"';

const nodeSupervisor = `
const [program, ...args] = process.argv.slice(1);
const child = require('node:child_process').spawn(program, args, { stdio: 'ignore', windowsHide: true });
child.on('error', () => process.exit(1)).on('exit', (status) => process.exit(status ?? 1));
process.stdin.resume().on('close', () => child.kill());
`;

type Options = Pick<SpawnOptions, 'env' | 'cwd'> & { readonly platform?: NodeJS.Platform };

export function startSupervised(
  program: string,
  args: readonly string[],
  { platform = process.platform, ...options }: Options = {},
): ChildProcess {
  // A separate session or console keeps Ctrl-C from reaching it before pending requests have finished.
  const settings: SpawnOptions = { ...options, stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true };
  return platform === 'win32'
    ? spawn(process.execPath, ['-e', nodeSupervisor, program, ...args], settings)
    : spawn('/bin/sh', ['-c', shellSupervisor, 'sh', program, ...args], settings);
}

export async function stopSupervised(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.destroy();
  await ended;
}
