import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

it('lists in docs/graph.md each item that an event, a snapshot and a retraction leave', async () => {
  const place = await world.place();
  const edge = (from: string, to: string) => ({ upstreamUrn: dataset(from), downstreamUrn: dataset(to) });
  const snapshot = (lineage: readonly object[]) =>
    place.declare('/v1/lineage/datahub', {
      ...{ export: lineage, import_source: 'nightly', completeness: 'complete', source_event_key: randomUUID() },
    });
  const columns = { id: [['crm.raw.orders', 'id'] as const] };
  const steps = [
    () => place.emit(runEvent(place.namespace, ['crm.raw.orders'], ['crm.core.orders'], { columns })),
    () => snapshot([edge('a', 'b'), edge('b', 'c'), edge('a', 'c')]),
    () => snapshot([edge('a', 'b'), edge('b', 'c')]),
  ];

  const marks = new Map<string, string[]>();
  let before = await storedItems(place.workspace);
  for (const [step, take] of steps.entries()) {
    expect((await take()).status).toBe(202);
    const after = await storedItems(place.workspace);
    for (const [key, item] of after) {
      if (isDeepStrictEqual(before.get(key), item)) continue;
      const pattern = patternOf(key);
      const row = marks.get(pattern) ?? steps.map(() => '.');
      row[step] = '+';
      marks.set(pattern, row);
    }
    expect([...before.keys()].filter((key) => !after.has(key))).toEqual([]);
    before = after;
  }
  const found = [...marks].map(([pattern, row]) => `${row.join(' ')} ${pattern}`);
  expect(documented().sort()).toEqual(found.sort());
});

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${name},PROD)`;

/** The rows of the picture: three marks and a key. */
const documented = (): string[] =>
  [
    ...readFileSync(new URL('../../docs/graph.md', import.meta.url), 'utf8').matchAll(
      /^([+.]) +([+.]) +([+.]) +(W#ws\S* \/ \S+)/gm,
    ),
  ].map(([, event, snapshot, retraction, key]) => `${event} ${snapshot} ${retraction} ${key}`);

/** Items that are written after a time, whatever a delivery says. */
const timed = /#Q \/ REQUESTS$|\/ !EVIDENCE$|\/ SUMMARY$/;

/** The items of a workspace by key, without those of `timed`. */
async function storedItems(workspace: string): Promise<ReadonlyMap<string, unknown>> {
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: process.env['TABLE_NAME'] }));
  return new Map(
    Items.map((item) => [`${item['pk']?.S} / ${item['sk']?.S}`, item] as const)
      .filter(([key]) => key.startsWith(`W#${workspace}`) && !timed.test(key))
      .map(([key, item]) => [key.replace(workspace, 'ws'), item]),
  );
}

/** The pattern of a key: the ids, times and digests of this run under their names in the document. */
const patternOf = (key: string): string =>
  key
    .replace(/(COLUMN#NEW .*#)\w+$/, '$1<digest>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '<time>')
    .replace(/con_[0-9a-f]{20}/, '<connector>')
    .replace(/#D#\d \/ (<time>#)[0-9a-f-]{36}#\S+/, '#D#<n> / $1<delivery>#<digest>')
    .replace(/(#R#|#CHANGES#.*#)[0-9a-f-]{36}/, '$1<delivery>')
    .replace(/(#R#)<delivery>( \/ KEYED)/, '$1<content>$2')
    .replace(/(R#)[0-9a-f-]{36}$/, '$1<run>')
    .replace(/[0-9a-f-]{36}/, '<provider>')
    .replace(/(#COUNTERS)#\d$/, '$1#<n>')
    .replace(/(#[GCF])#\d\d /, '$1#<shard> ')
    .replace(/#T#\w \/ [\w.]+#/, '#T#<first> / <tail>#')
    .replace(/(LEADING \/ )\w+/, '$1<tail>')
    .replace(/(SAID \/ )\S+/, '$1<digest>')
    .replace(/(#F#<shard> \/ )[a-z2-7]{20}/, '$1<schema>')
    .replace(/\b[a-z2-7]{20}\b/, '<node>')
    .replace(/\b[a-z2-7]{16}\b/, '<scope>')
    .replace(/\b\d{22}\b/, '<order>');
