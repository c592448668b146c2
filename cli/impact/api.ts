import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { ErrorEnvelope } from '../../shared/contract/error-envelope.ts';
import { UsageError } from '../admin/command.ts';

export type Api = {
  readonly workspaceId: string;
  readonly connectorId: string;
  /** Answers the JSON of a path. Throws the service's own message where it refuses. */
  readonly get: (pathAndQuery: string) => Promise<unknown>;
};

export type ApiOptions = {
  readonly credentials?: string | undefined;
  readonly url?: string | undefined;
  readonly workspace?: string | undefined;
  readonly connector?: string | undefined;
};

/** The service understood the question and refuses it. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal';
}

const Named = v.object({ id: v.string() });
const Credentials = v.object({
  base_url: v.string(),
  workspaces: v.record(
    v.string(),
    v.object({ id: v.string(), tokens: v.record(v.string(), v.string()), connectors: v.record(v.string(), Named) }),
  ),
});

/** The API of a local service by its credentials file, or of a deployment by its URL and a token of the environment. */
export async function apiOf(options: ApiOptions): Promise<Api> {
  if ((options.credentials === undefined) === (options.url === undefined))
    throw new UsageError('Give --credentials FILE or --url URL.');
  return options.credentials === undefined ? deployed(options) : local(options.credentials, options);
}

function deployed({ url = '', workspace, connector }: ApiOptions): Api {
  const token = process.env['TRIBUTARY_TOKEN'];
  if (!token) throw new UsageError('A token is wanted in TRIBUTARY_TOKEN: with --url the command signs in by it.');
  if (!workspace || !connector) throw new UsageError('With --url give --workspace ID and --connector ID.');
  return { workspaceId: workspace, connectorId: connector, get: getter(url, token) };
}

async function local(file: string, { workspace, connector }: ApiOptions): Promise<Api> {
  const { base_url, workspaces } = v.parse(Credentials, JSON.parse(await readFile(file, 'utf8')));
  const { id, tokens, connectors } = chosen(workspaces, workspace, '--workspace');
  return {
    workspaceId: id,
    connectorId: chosen(connectors, connector, '--connector').id,
    get: getter(base_url, tokens['viewer'] ?? ''),
  };
}

/** What a name or an id means; without either, the first. */
function chosen<T extends { readonly id: string }>(
  all: Readonly<Record<string, T>>,
  name: string | undefined,
  option: string,
): T {
  const found = Object.entries(all).find(([own, { id }]) => name === undefined || name === own || name === id);
  if (!found) throw new UsageError(`${option} takes one of ${Object.keys(all).join(', ')}.`);
  return found[1];
}

const getter = (baseUrl: string, token: string) => async (pathAndQuery: string) => {
  const url = baseUrl.replace(/\/$/, '') + pathAndQuery;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body: unknown = await response.json();
  if (response.ok) return body;
  const refusal = v.safeParse(ErrorEnvelope, body);
  throw new ServiceRefusal(refusal.success ? refusal.output.detail.message : `The service answers ${response.status}.`);
};
