import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import * as v from 'valibot';
import { type CommandRun, commandLine } from './command-line.ts';

const Kept = v.object({
  profiles: v.object({
    default: v.object({ token: v.string(), workspace: v.optional(v.string()), expires_at: v.optional(v.string()) }),
  }),
});

type LoggedIn = CommandRun & {
  readonly kept: v.InferOutput<typeof Kept>['profiles']['default'];
  /** Of the file with the token, as `ls` shows it in octal digits. */
  readonly mode: string;
};

/**
 * Runs `tributary login` with its own configuration folder, and answers what it said and what it kept.
 * @param browse what a person does with the address to open; its result is typed
 */
export async function logIn(args: readonly string[], browse: (page: string) => Promise<string>): Promise<LoggedIn> {
  const folder = mkdtempSync(path.join(tmpdir(), 'login-'));
  const input = new PassThrough();
  let browsing: Promise<unknown> | null = null;
  const received = (text: string) => {
    const page = /^Open (\S+)/.exec(text)?.[1];
    if (page !== undefined) browsing ??= browse(page).then((typed) => input.end(`${typed}\n`));
  };
  try {
    const run = await commandLine(['login', ...args], {
      env: { XDG_CONFIG_HOME: folder },
      folder,
      input,
      heard: received,
    });
    await browsing;
    const file = path.join(folder, 'tributary', 'config.json');
    const { profiles } = v.parse(Kept, JSON.parse(readFileSync(file, 'utf8')));
    return { ...run, kept: profiles.default, mode: (statSync(file).mode & 0o777).toString(8) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
