import { execFileSync } from 'node:child_process';

/** What git prints in one line; null if it fails, or there is no git or repository. */
export const git = (cwd: string, args: readonly string[]): string | null => gitOutput(cwd, args)?.trim() ?? null;

export function gitOutput(cwd: string, args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}
