import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../outcome.ts';
import { credentialsJson } from './credentials-file.ts';

type Named = { readonly tenant?: string | undefined; readonly credentials?: string | undefined };
type Place = { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string };

/**
 * The deployment whose stores are meant: a tenant, or the local service of a credentials file, which may be that of
 * TRIBUTARY_CREDENTIALS or of the folder. Throws UsageError where none or two are named, or the file is not to be read.
 */
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
