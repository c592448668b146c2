import { execFileSync } from 'node:child_process';
import type { Terminal } from '../terminal/terminal.ts';

/** What CI says that it works on; else what is checked out in the folder; null where there is no repository. */
export function commitOf({ env }: Terminal, folder: string): string | null {
  const said = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'BUILDKITE_COMMIT', 'CIRCLE_SHA1', 'BITBUCKET_COMMIT', 'GIT_COMMIT'];
  const commit = said.map((name) => env[name]).find((value) => value) ?? checkedOut(folder);
  return commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? commit : null;
}

function checkedOut(folder: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    }).trim();
  } catch {
    // No git, or no repository: the content alone names the delivery.
    return null;
  }
}
