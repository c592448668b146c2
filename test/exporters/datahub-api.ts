import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An entity as `GET /openapi/v3/entity/{name}` answers it: aspects by their names, each with a value. */
export type Entity = { readonly urn: string } & Readonly<Record<string, unknown>>;

type Behaviour = {
  readonly token: string;
  readonly entities: Readonly<Record<string, readonly Entity[]>>;
  /** Statuses to answer with before the first requests succeed. */
  readonly failures?: number[];
  /** Where every request is redirected to. */
  readonly redirect?: string;
};

export type DatahubApi = { readonly url: string; readonly requests: string[]; readonly stop: () => Promise<void> };

/**
 * The reading part of DataHub's OpenAPI v3 as its `EntityController` has it: pages over all entities of a kind, from
 * which those without one of the wanted aspects are left out after the page was cut; no `scrollId` on the last page.
 */
export async function startDatahubApi(behaviour: Behaviour): Promise<DatahubApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(behaviour, request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => void (await new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${port}/gms`, requests, stop };
}

function answer(
  { token, entities, failures, redirect }: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  if (redirect !== undefined) return void send(302, {}, { location: `${redirect}${request.url}` });
  const failure = failures?.shift();
  if (failure !== undefined) return void send(failure, {}, failure === 429 ? { 'retry-after': '0' } : {});
  if (request.headers.authorization !== `Bearer ${token}`) return void send(401, {});
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const [, name = ''] = /^\/gms\/openapi\/v3\/entity\/(\w+)$/.exec(pathname) ?? [];
  const kind = entities[name.toLowerCase()];
  if (!kind || request.method !== 'GET') return void send(404, {});
  const from = Number(Buffer.from(searchParams.get('scrollId') ?? '', 'base64').toString() || 0);
  const to = from + Number(searchParams.get('count') ?? 10);
  const page = kind.slice(from, to).flatMap((entity) => withAspects(entity, searchParams.getAll('aspects')) ?? []);
  send(200, {
    scrollId: to < kind.length ? Buffer.from(String(to)).toString('base64') : null,
    entities: page,
  });
}

function withAspects(entity: Entity, aspects: readonly string[]): Entity | null {
  const remaining = aspects.flatMap((aspect) => (aspect in entity ? [[aspect, entity[aspect]]] : []));
  return remaining.length === 0 ? null : { urn: entity.urn, ...Object.fromEntries(remaining) };
}
