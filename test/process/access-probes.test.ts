import { randomBytes } from 'node:crypto';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { s3 } from '../../shared/adapters/aws.ts';
import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Route } from '../../shared/contract/route.ts';
import { tokenScopes } from '../../shared/contract/vocabulary.ts';
import { newSecret } from '../../shared/domain/workspaces/access/secret.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { type Answer, codeOf, deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../support/furnished-workspace.ts';
import { provideForAll } from '../support/provide.ts';
import { entriesOf, exampleOf } from '../support/route-examples.ts';
import { type StoreCall, storeCallsOf, watchStores } from '../support/store-watch.ts';

type RouteName = keyof typeof routes;
type Texts = Readonly<Record<string, string>>;

const world = provideForAll(startAccessWorld);
let send: Send;
let acme: FurnishedWorkspace;
let globex: FurnishedWorkspace;
/** What the victim has, by the fields that could name it, and the like of each that nobody ever had. */
let victim: Texts;
let ghosts: Texts;
let intruders: Texts;

beforeAll(async () => {
  // The guard of rates would end the probes early.
  Object.assign(process.env, { LINEAGE_RATE: '100000000', LINEAGE_BURST: '100000000' });
  send = await deployedFunctions();
  acme = await furnishedWorkspace(world, send, 'acme');
  globex = await furnishedWorkspace(world, send, 'globex');
  victim = { ...acme.known, ...(await cursorsOf(acme)), key: 'acme-key', project_id: 'acme-dbt' };
  ghosts = Object.fromEntries(Object.entries(victim).map(([name, value]) => [name, ghostOf(value)]));
  const pat = await world.token(globex.id, 'globex-admin', tokenScopes);
  intruders = {
    member: await world.issuer.sign('globex-admin'),
    token: pat.token,
    outsider: await world.issuer.sign('outsider'),
  };
  const stopWatching = watchStores();
  // A process remembers where the record of a token lies: the first use takes one request more.
  for (const route of members)
    for (const token of Object.values(intruders)) await send({ ...exampleOf(route, globex.known), token });
  return stopWatching;
});

/** Of the same shape, with other letters and digits: a name part of the victim stays a name part. */
const ghostOf = (text: string): string =>
  text.replace(/acme/g, 'emca').replace(/[0-9a-f]{6,}/g, (digits) => digits.replace(/./g, (one) => turned[one] ?? one));
const turned: Texts = { '1': '2', '2': '3', '3': '4', '5': '6', '6': '7', '7': '5', b: 'c', c: 'd', d: 'e', e: 'b' };

/** The cursors of the victim's lists, by the name of their route. */
async function cursorsOf(workspace: FurnishedWorkspace): Promise<Texts> {
  const token = await world.issuer.sign(`${workspace.name}-admin`);
  const cursors: Record<string, string> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    if (!('cursor' in entriesOf(route.query))) continue;
    const example = exampleOf(route, workspace.known);
    const { text } = await send({ ...example, token, query: { ...example.query, limit: '1' } });
    const { next_cursor } = JSON.parse(text);
    if (typeof next_cursor === 'string') cursors[`cursor of ${name}`] = next_cursor;
  }
  return cursors;
}

/** The fields of a route that may name something, and where they stand. */
const fieldsOf = ({ params, query, headers, body }: Route) =>
  (
    [
      ['params', params],
      ['query', query],
      ['headers', headers],
      ['body', body?.kind === 'json' ? body.schema : undefined],
    ] as const
  ).flatMap(([place, schema]) =>
    Object.keys(entriesOf(schema))
      .filter((name) => /(_id|_ref|cursor|key)$/.test(name))
      .map((name) => ({ place, name })),
  );

type Field = ReturnType<typeof fieldsOf>[number];
/** What an intruder writes into a field: something of the victim's by its name, or their own text. */
type Taint = { readonly field: Field; readonly from: { readonly victims: string } | { readonly own: string } };
type Probe = { readonly route: RouteName; readonly intruder: string; readonly taints: readonly Taint[] };

const names = (Object.keys(routes) as RouteName[]).filter((name) => routes[name].access.kind === 'member');
const members = names.map((name): Route => routes[name]);

/** The thing of the victim's that such a field would name, or any other. */
const victims = (name: string): string[] => {
  const own = Object.keys(victim).filter((one) => one === name || (name === 'cursor' && one.startsWith('cursor')));
  if (/key$/.test(name)) own.push('key');
  return own;
};

const ownText = fc.string({ minLength: 1, maxLength: 40 }).map((own) => ({ own }));

function taintOf(field: Field): fc.Arbitrary<Taint> {
  const all = Object.keys(victim);
  const fitting = victims(field.name);
  const from = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom(...(fitting.length > 0 ? fitting : all)).map((name) => ({ victims: name })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...all).map((name) => ({ victims: name })) },
    { weight: 1, arbitrary: ownText },
  );
  return fc.record({ field: fc.constant(field), from });
}

/** Most ask for the victim's workspace, the others for the victim's things in the intruder's own. */
const taintsOf = (fields: readonly Field[]): fc.Arbitrary<readonly Taint[]> =>
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.subarray([...fields], { minLength: 1 })).chain(([own, some]) => {
    const workspace = fields.filter(({ name }) => name === 'workspace_id');
    const others = some.filter(({ name }) => name !== 'workspace_id');
    const chosen = own === 1 && others.length > 0 ? others : [...workspace, ...others];
    return fc.tuple(...chosen.map(taintOf));
  });

const probe: fc.Arbitrary<Probe> = fc.constantFrom(...names).chain((route) =>
  fc.record({
    route: fc.constant(route),
    intruder: fc.constantFrom('member', 'member', 'token', 'outsider'),
    taints: taintsOf(fieldsOf(routes[route])),
  }),
);

/** The request of a probe, the victim's things being those of `things`. */
function requestOf({ route, intruder, taints }: Probe, things: Texts): Sent {
  const sent = { ...exampleOf(routes[route], globex.known), token: intruders[intruder] ?? null };
  const places: Record<Field['place'], Record<string, unknown>> = {
    params: { ...sent.params },
    query: { ...sent.query },
    headers: { ...sent.headers, 'x-request-id': 'probe' },
    body: { ...(sent.body as object) },
  };
  for (const { field, from } of taints)
    places[field.place][field.name] = 'own' in from ? from.own : (things[from.victims] ?? '');
  const { body, ...rest } = places;
  return { ...sent, ...(rest as Pick<Sent, 'params' | 'query' | 'headers'>), body: bodyOf(sent, body) };
}

const bodyOf = ({ route, body }: Sent, tainted: object): unknown => (route.body?.kind === 'json' ? tainted : body);

type Outcome = { readonly answer: Answer; readonly calls: readonly StoreCall[] };
const outcomeOf = (sent: Sent): Promise<Outcome> => storeCallsOf(() => send(sent));

const controls = new Map<string, Promise<Outcome>>();

/** The outcome of the same probe for things that nobody ever had. */
function controlOf(one: Probe): Promise<Outcome> {
  const key = JSON.stringify(one);
  const known = controls.get(key) ?? outcomeOf(requestOf(one, ghosts));
  controls.set(key, known);
  return known;
}

/** What an intruder may make as often as they like in their own workspace, until it is enough or two are made at once. */
const recreated: ReadonlySet<RouteName> = new Set(['putAppConfig', 'createWebhook']);

/** Which apps of code hosts the intruder's own workspace has changes with each probe that puts or removes one. */
const changesOwnApps = ({ route, taints }: Probe): boolean =>
  routes[route].function === 'codehost' && !taints.some(({ field }) => field.name === 'workspace_id');

/** Everything that an intruder can see and time: refusals, their texts, and the number of store requests before them. */
function seen({ route }: Probe, { answer, calls }: Outcome) {
  const code = codeOf(answer);
  // What an intruder wrote into their own workspace before decides whether they may write it again.
  const writesAgain = routes[route].function === 'ingest' || recreated.has(route);
  if (answer.status < 400 || (writesAgain && answer.status === 409)) return 'their own';
  const others = calls.filter((call) => !leasesRate(call));
  return { status: answer.status, code, text: answer.text, calls: others.map(({ command }) => command) };
}

/** A lease of the intruder's own rate, which ends with its second, whatever was requested. */
const leasesRate = ({ command, input }: StoreCall): boolean =>
  command === 'UpdateItemCommand' && input.includes(JSON.stringify(`W#${globex.id}#Q`));

/** The one look into the victim's partitions that is allowed: whether the intruder is a member. */
function reachesVictim({ command, input }: StoreCall): boolean {
  const partition = `W#${acme.id}`;
  if (input.includes(`"Key":"`)) return input.includes(acme.id);
  if (!input.includes(`"${partition}`)) return false;
  const looks = [...input.matchAll(/"pk":\{"S":"([^"]*)"\},"sk":\{"S":"([^"]*)"\}/g)].filter(
    ([, pk]) => pk === partition,
  );
  const standing = ['WORKSPACE', 'MEMBER#globex-admin', 'MEMBER#outsider'];
  return (
    command !== 'BatchGetItemCommand' || looks.length === 0 || !looks.every(([, , sk = '']) => standing.includes(sk))
  );
}

/** Everything that the stores hold of the victim, by its keys. */
async function recordsOfVictim(): Promise<Readonly<Record<string, unknown>>> {
  const { client, name } = world.table;
  const held: Record<string, unknown> = {};
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true }))
    for (const item of Items.map((one) => unmarshall(one)))
      if (item['workspace_id'] === acme.id || String(item['pk']).startsWith(`W#${acme.id}`))
        held[`${item['pk']} ${item['sk']}`] = item;
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: process.env['RAW_BUCKET'] ?? '' }));
  for (const { Key = '', ETag } of Contents) if (Key.includes(acme.id)) held[Key] = ETag;
  return held;
}

describe('a cursor', () => {
  it('is refused by every other list, and by its own list in another workspace (C-READ-3)', async () => {
    const cursors = Object.entries(victim).filter(([name]) => name.startsWith('cursor of '));
    expect(cursors.length).toBeGreaterThan(1);
    const lists = Object.entries<Route>(routes).filter(([, { query }]) => 'cursor' in entriesOf(query));
    for (const [name, route] of lists)
      for (const [of, cursor] of [...cursors, ['of nobody', 'eHg']]) {
        const { known } = of === `cursor of ${name}` ? globex : acme;
        const token = await world.issuer.sign(`${known === acme.known ? 'acme' : 'globex'}-admin`);
        const example = exampleOf(route, known);
        const answer = await send({ ...example, token, query: { ...example.query, cursor: cursor ?? '' } });
        expect([answer.status, codeOf(answer)], `${name} with the ${of}`).toEqual([422, 'validation_error']);
      }
  });
});

describe('an intruder from another workspace', () => {
  it('reads, changes and learns nothing by 4,000 probes for what the victim has (C-ACCESS-8)', async () => {
    const before = await recordsOfVictim();
    expect(Object.keys(before).length).toBeGreaterThan(20);
    let probes = 0;
    const probed = new Set<RouteName>();
    await fc.assert(
      fc.asyncProperty(fc.array(probe, { minLength: 50, maxLength: 50 }), async (batch) => {
        await Promise.all(
          batch.map(async (one) => {
            const [outcome, control] = await Promise.all([outcomeOf(requestOf(one, victim)), controlOf(one)]);
            probes++;
            probed.add(one.route);
            expect(outcome.calls.filter(reachesVictim)).toEqual([]);
            expect(victimsWords.filter((word) => outcome.answer.text.includes(word))).toEqual([]);
            // A project's name is its maker's own: what a probe links in the intruder's workspace is there for the next.
            const own = one.taints.some(({ field }) => field.name === 'cursor' || field.name === 'project_id');
            if (!own && !changesOwnApps(one)) expect(seen(one, outcome)).toEqual(seen(one, control));
          }),
        );
      }),
      { numRuns: 80, endOnFailure: true },
    );
    expect(probes).toBe(4_000);
    expect([...probed].sort()).toEqual([...names].sort());
    expect(await recordsOfVictim()).toEqual(before);
  }, 600_000);

  it('learns nothing by an operation of the descriptions that belongs to no workspace (C-ACCESS-8)', async () => {
    const described = [serviceOpenApi(routes), collectionOpenApi(routes)].flatMap((document) =>
      [...JSON.stringify(document['paths']).matchAll(/"operationId":"(\w+?)\d*"/g)].map(([, name = '']) => name),
    );
    expect(new Set(described)).toEqual(new Set(Object.keys(routes)));
    for (const name of Object.keys(routes) as RouteName[]) {
      const route: Route = routes[name];
      if (route.access.kind === 'member' || route.access.kind === 'project_key') continue;
      const ways = fieldsOf(route).flatMap((field) => victims(field.name).map((one) => ({ field, victims: one })));
      for (const intruder of Object.keys(intruders))
        for (const taints of [[], ...ways.map(({ field, victims }) => [{ field, from: { victims } }])]) {
          const one = { route: name, intruder, taints };
          const [outcome, control] = [await outcomeOf(requestOf(one, victim)), await outcomeOf(requestOf(one, ghosts))];
          expect(victimsWords.filter((word) => outcome.answer.text.includes(word))).toEqual([]);
          expect(seen(one, outcome), name).toEqual(seen(one, control));
        }
    }
  });

  it('learns nothing of the keys of collection', async () => {
    const nobodys = newSecret(randomBytes, 'server_key');
    const event = { id: 'e', type: 'track', timestamp: '2026-11-21T12:00:00Z', event: 'Seen', user_id: 'u' };
    const single = { event: 'Seen', distinct_id: 'u' };
    const answers = async (key: string, serverKey: string) =>
      Promise.all([
        send({ route: routes.collectBatch, token: serverKey, headers, body: { project_key: key, events: [event] } }),
        send({ route: routes.collectCompatible, token: serverKey, headers, body: { api_key: key, batch: [single] } }),
      ]);
    const headers = { 'X-Request-ID': 'probe', Origin: 'https://globex.test' };
    for (const [mine, theirs] of [
      [globex.projectKey, acme.serverKey],
      [acme.projectKey, globex.serverKey],
    ] as const) {
      const refused = await answers(mine, theirs);
      expect(refused.map(codeOf)).toEqual(['invalid_server_key', 'invalid_server_key']);
      expect(refused).toEqual(await answers(mine, nobodys));
    }
  });
});

/** What only the victim's own answers hold: no probe says it. */
const victimsWords = ['acme-admin', 'acme-viewer', 'acme.revenue', 'acme.test', 'acme-web'];
