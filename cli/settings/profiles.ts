import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

const Profile = v.object({
  url: v.optional(v.string()),
  token: v.optional(v.string()),
  workspace: v.optional(v.string()),
  connector: v.optional(v.string()),
  expires_at: v.optional(v.string()),
});
export type Profile = v.InferOutput<typeof Profile>;

const Configuration = v.object({ profiles: v.optional(v.record(v.string(), Profile), {}) });
type Configuration = v.InferOutput<typeof Configuration>;

export const defaultProfile = 'default';

/** `$XDG_CONFIG_HOME/tributary/config.json`. */
export const configurationFile = ({ env }: Pick<Terminal, 'env'>): string =>
  path.join(env['XDG_CONFIG_HOME'] || path.join(env['HOME'] || homedir(), '.config'), 'tributary', 'config.json');

/** The profile of a name, or null if there is none. Throws UsageError where the file cannot be read. */
export const readProfile = (terminal: Pick<Terminal, 'env'>, name: string): Profile | null => {
  const { profiles } = read(configurationFile(terminal));
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null;
};

export const profileNames = (terminal: Pick<Terminal, 'env'>): readonly string[] =>
  Object.keys(read(configurationFile(terminal)).profiles);

export function writeProfile(terminal: Pick<Terminal, 'env'>, name: string, profile: Profile): void {
  const file = configurationFile(terminal);
  const { profiles } = read(file);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify({ profiles: { ...profiles, [name]: profile } }, null, 2)}\n`;
  // A new file has the mode from its first byte on, whatever that of the old one is.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

function read(file: string): Configuration {
  if (!existsSync(file)) return { profiles: {} };
  try {
    return v.parse(Configuration, JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read as a configuration';
    throw new UsageError(`${file} ${why}.`, ['Correct it, or remove it and sign in again: tributary login']);
  }
}
