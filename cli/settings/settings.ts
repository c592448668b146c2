import path from 'node:path';
import { withoutTrailing } from '../../shared/contract/fields.ts';
import { CommandError, exitCodes, UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CredentialsFile, localCredentials, readCredentialsFile } from './credentials-file.ts';
import { defaultProfile, type Profile, profileNames, readProfile } from './profiles.ts';

export type GlobalOptions = {
  readonly url?: string;
  readonly token?: string;
  readonly credentials?: string;
  readonly profile?: string;
  readonly workspace?: string;
  readonly connector?: string;
  readonly json?: boolean;
  readonly jsonLines?: boolean;
  readonly quiet?: boolean;
};

/** Which service is meant and as whom; what is in one place is not mixed with the token of another service. */
export type Settings = {
  readonly url: string;
  readonly token: string | undefined;
  readonly workspace: string | undefined;
  readonly connector: string | undefined;
  readonly credentials: CredentialsFile | null;
  /** Where the address, the token and the connector come from, for people; no connector is named if that is null. */
  readonly origin: { readonly url: string; readonly token: string; readonly connector: string | null };
};

type Setting = { readonly value: string; readonly from: string };

/** Reads options, then the environment, then the profile, then `.local/credentials.json` of the folder. */
export function settingsOf(options: GlobalOptions, terminal: Terminal): Settings {
  const provided = (name: 'url' | 'token' | 'workspace' | 'connector' | 'credentials'): Setting | undefined => {
    const variable = `TRIBUTARY_${name.toUpperCase()}`;
    const [option, value] = [options[name], terminal.env[variable]];
    if (option !== undefined) return { value: option, from: `--${name}` };
    return value ? { value, from: variable } : undefined;
  };
  const stored = storedSettings(options, provided('credentials')?.value, terminal);
  const url = provided('url') ?? stored.url;
  if (url === undefined) throw new NoService();
  const isStoredService = stored.url !== undefined && sameService(stored.url.value, url.value);
  const token = provided('token') ?? (isStoredService ? stored.token : undefined);
  const connector = provided('connector') ?? (isStoredService ? stored.connector : undefined);
  return {
    url: serviceUrl(url),
    token: token?.value,
    workspace: provided('workspace')?.value ?? (isStoredService ? stored.workspace : undefined),
    connector: connector?.value,
    credentials: (isStoredService && stored.credentials) || null,
    origin: {
      url: url.from,
      token: token?.from ?? (isStoredService && stored.credentials ? url.from : 'nowhere'),
      connector: connector?.from ?? null,
    },
  };
}

type Stored = {
  readonly url?: Setting | undefined;
  readonly token?: Setting | undefined;
  readonly connector?: Setting | undefined;
  readonly workspace?: string | undefined;
  readonly credentials?: CredentialsFile;
};

function storedSettings(options: GlobalOptions, credentialsFile: string | undefined, terminal: Terminal): Stored {
  const name = options.profile ?? defaultProfile;
  const profile = readProfile(terminal, name);
  if (profile === null && options.profile !== undefined)
    throw new UsageError(`There is no profile ${JSON.stringify(name)}.`, [
      `Profiles: ${profileNames(terminal).join(', ') || 'none yet; create one with tributary login'}.`,
    ]);
  if (credentialsFile !== undefined) return ofFile(path.resolve(terminal.folder, credentialsFile));
  if (profile !== null) return ofProfile(name, profile);
  const local = localCredentials(terminal);
  return local === undefined ? {} : ofFile(local);
}

function ofFile(file: string): Stored {
  const credentials = readCredentialsFile(file);
  return { url: { value: credentials.base_url, from: file }, credentials };
}

function ofProfile(name: string, { url, token, connector, workspace }: Profile): Stored {
  const setting = (value: string | undefined) => (value === undefined ? undefined : { value, from: `profile ${name}` });
  return { url: setting(url), token: setting(token), connector: setting(connector), workspace };
}

export class NoService extends CommandError {
  override readonly name = 'NoService';

  constructor() {
    super(exitCodes.usage, 'No service is named.', [
      'Give --url URL (or TRIBUTARY_URL) with a token in TRIBUTARY_TOKEN, sign in with tributary login,',
      'or name the file of a local service: --credentials .local/credentials.json',
      'Without a service, diff answers from files with --base, and impact, explain, search and unused with --manifest.',
    ]);
  }
}

/** The address of the service, also from that of its OpenLineage endpoint, which senders are often given. */
function serviceUrl({ value, from }: Setting): string {
  const url = URL.parse(value);
  // Messages name the address: it must not hold a password, or the token of a page's address.
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash)
    return withoutTrailing('/', withoutTrailing('/', value).replace(/\/api\/v1\/lineage$/, ''));
  throw new UsageError(`${from} has to be an http or https URL without a user, a password, a query or a fragment.`);
}

const sameService = (a: string, b: string): boolean => withoutTrailing('/', a) === withoutTrailing('/', b);

export const notSignedIn = (url: string): CommandError =>
  new CommandError(exitCodes.notAllowed, `Not signed in to ${url}.`, [
    'Sign in with tributary login, or give a token: --token, or TRIBUTARY_TOKEN.',
  ]);
