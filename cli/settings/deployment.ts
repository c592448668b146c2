import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../outcome.ts';
import { credentialsJson } from './credentials-file.ts';

type Named = { readonly tenant?: string | undefined; readonly credentials?: string | undefined };
type Place = { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string };

/** A tenant, or a local service by file, TRIBUTARY_CREDENTIALS or folder. Throws UsageError for none or two. */
export function deploymentOf({ tenant, credentials }: Named, { env, folder }: Place): Named {
  if (tenant !== undefined && credentials !== undefined)
    throw new UsageError('Give --tenant NAME or --credentials FILE, not both.');
  if (tenant !== undefined) return { tenant };
  const local = path.join(folder, '.local', 'credentials.json');
  const file = credentials ?? (env['TRIBUTARY_CREDENTIALS'] || (existsSync(local) ? local : undefined));
  if (file === undefined)
    throw new UsageError(
      'Choose a deployment: pass --tenant NAME of a stack, or --credentials FILE of a local service.',
    );
  credentialsJson(path.resolve(folder, file));
  return { credentials: path.resolve(folder, file) };
}
