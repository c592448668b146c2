import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Target } from '../connect.ts';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

const CredentialsFile = v.object({
  base_url: v.string(),
  workspaces: v.optional(
    v.record(
      v.string(),
      v.object({
        id: v.string(),
        tokens: v.record(v.string(), v.string()),
        connectors: v.optional(v.record(v.string(), v.object({ id: v.string() })), {}),
      }),
    ),
    {},
  ),
  /** A user that the seed made no member of anything. */
  outsider: v.optional(v.object({ token: v.string() })),
});

/** What a local service writes for its users: its address, and the workspaces, tokens and connectors of its seed. */
export type CredentialsFile = v.InferOutput<typeof CredentialsFile>;
type SeededWorkspace = CredentialsFile['workspaces'][string];

/** The first that there is: a developer may do everything to a service on the own machine. */
const byPower = ['admin', 'editor', 'viewer'] as const;

export const tokenOf = ({ tokens }: SeededWorkspace): string | undefined =>
  byPower.map((role) => tokens[role]).find((token) => token !== undefined) ?? Object.values(tokens)[0];

/** The tokens of all users, the most powerful first. */
export const tokensOf = ({ workspaces, outsider }: CredentialsFile): readonly string[] => [
  ...byPower.flatMap((role) => Object.values(workspaces).flatMap(({ tokens }) => tokens[role] ?? [])),
  ...(outsider ? [outsider.token] : []),
];

type Folders = { readonly folder: string; readonly checkout?: string };

/** The file that a local service wrote in this folder, or in the clone that the command runs from. */
export const localCredentials = ({ folder, checkout = folder }: Folders): string | undefined =>
  [folder, checkout].map((one) => path.join(one, '.local', 'credentials.json')).find((file) => existsSync(file));

export function readCredentialsFile(file: string): CredentialsFile {
  const parsed = v.safeParse(CredentialsFile, credentialsJson(file));
  if (parsed.success) return parsed.output;
  throw new UsageError(`${file} is not a credentials file: ${v.summarize(parsed.issues).replaceAll(/\s+/g, ' ')}`, [
    'npm run local -- --credentials FILE writes one.',
  ]);
}

/** What the file holds. Throws UsageError where it cannot be read. */
function credentialsJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not JSON.`);
    throw new UsageError(`The credentials file ${file} cannot be read.`, [
      'A local service writes it: npm run local -- --credentials FILE',
    ]);
  }
}

type Place = Pick<Terminal, 'env' | 'folder' | 'checkout'>;

/** A tenant, or a local service by file, TRIBUTARY_CREDENTIALS or folder. Throws UsageError for none or two. */
export function deploymentOf({ tenant, credentials }: Target, { env, ...folders }: Place): Target {
  if (tenant !== undefined && credentials !== undefined)
    throw new UsageError('Give --tenant NAME or --credentials FILE, not both.');
  if (tenant !== undefined) return { tenant };
  const file = credentials ?? (env['TRIBUTARY_CREDENTIALS'] || localCredentials(folders));
  if (file === undefined)
    throw new UsageError(
      'Choose a deployment: pass --tenant NAME of a stack, or --credentials FILE of a local service.',
    );
  const place = path.resolve(folders.folder, file);
  credentialsJson(place);
  return { credentials: place };
}
