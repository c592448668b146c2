import path from 'node:path';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { credentialsJson, localCredentials } from './credentials-file.ts';

type Named = { readonly tenant?: string | undefined; readonly credentials?: string | undefined };
type Place = Pick<Terminal, 'env' | 'folder' | 'checkout'>;

/** A tenant, or a local service by file, TRIBUTARY_CREDENTIALS or folder. Throws UsageError for none or two. */
export function deploymentOf({ tenant, credentials }: Named, { env, ...folders }: Place): Named {
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
