// Plain JavaScript for Node 20: it is asked before anything is installed.
import { spawn } from 'node:child_process';

// Who started this: known before anything that takes its time, such as an installation. A signal that ends npm ends its
// shell and goes no further, so that a child process must notice by itself that the parent is gone.
const parent = process.ppid;

export const isOrphan = () => process.ppid !== parent || !exists(parent);

/** Windows gives an orphan no other parent. */
function exists(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Runs a program to its end, which is this process's too, and ends it gently if this process is asked to end. */
export function runGently(program, args, options) {
  // With an arena for each thread, glibc keeps hundreds of MiB that threads have freed.
  const env = { MALLOC_ARENA_MAX: '1', ...(options.env ?? process.env) };
  const child = spawn(program, args, { ...options, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('exit', (status) => process.exit(status ?? 1));
  const stop = () => child.connected && child.disconnect();
  // Ctrl-C reaches the child as well, which a second signal would cut short: closing the channel only asks it to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  setInterval(() => isOrphan() && stop(), 250);
}
