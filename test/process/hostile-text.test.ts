import type * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { fairMessage } from '../../shared/adapters/sqs/projection.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Route } from '../../shared/contract/route.ts';
import { indexedColumn, nameTails, searchWords } from '../../shared/domain/lineage/graph/name-parts.ts';
import { scopePlace } from '../../shared/domain/lineage/graph/scope-store.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { codeOf, deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../support/furnished-workspace.ts';
import { provideForAll } from '../support/provide.ts';
import { entriesOf, exampleOf } from '../support/route-examples.ts';

/** Half characters, NUL, and what SQS refuses. */
const hostile = ['\ud800', 'a\udc00', 'x\0', 'y\ufffe', 'z\uffff'];

const world = provideForAll(startAccessWorld);
let send: Send;
let acme: FurnishedWorkspace;
let token: string;

beforeAll(async () => {
  Object.assign(process.env, { LINEAGE_RATE: '100000000', LINEAGE_BURST: '100000000' });
  send = await deployedFunctions();
  acme = await furnishedWorkspace(world, send, 'acme');
  token = await world.issuer.sign('acme-admin');
});

/** A value with the text in each of its strings and field names in turn. */
function variants(value: unknown, text: string): readonly unknown[] {
  if (typeof value === 'string') return [value + text];
  if (Array.isArray(value))
    return value.flatMap((inner, at) => variants(inner, text).map((other) => value.with(at, other)));
  if (typeof value !== 'object' || value === null) return [];
  const fields = Object.entries(value);
  return [
    ...fields.flatMap(([key, inner]) => variants(inner, text).map((other) => ({ ...value, [key]: other }))),
    { ...value, [`extra${text}`]: 1 },
  ];
}

/** The example of a route with every optional field of its body and query that takes a text. */
function fullExample(route: Route): Sent {
  const event = { id: 'hostile', type: 'track', timestamp: '2026-11-21T12:00:00Z', event: 'Seen', user_id: 'u' };
  const posthog = {
    event: 'Seen',
    distinct_id: 'u',
    uuid: '00000000-0000-4000-8000-000000000001',
    properties: { a: 'b' },
  };
  const example = exampleOf(route, {
    ...acme.known,
    '/collect/v1/batch': { project_key: acme.projectKey, events: [{ ...event, properties: { a: { b: 'c' } } }] },
    '/collect/batch': { api_key: acme.projectKey, batch: [posthog] },
    '/collect/i/v1/analytics/events': {
      batch: [
        { uuid: posthog.uuid, event: 'Order Placed', distinct_id: 'u-1', options: {}, properties: { a: { b: 'c' } } },
      ],
    },
    '/collect/segment/v1/batch': {
      writeKey: acme.projectKey,
      batch: [{ type: 'track', userId: 'u-1', event: 'Order Placed', properties: { a: { b: 'c' } } }],
    },
  });
  const schema = route.body?.kind === 'json' ? route.body.schema : undefined;
  const isBody = typeof example.body === 'object' && example.body !== null && !Array.isArray(example.body);
  return {
    ...example,
    query: { ...textsOf(optionalTexts(route.query)), ...example.query },
    ...(isBody && { body: { ...optionalTexts(schema), ...example.body } }),
  };
}

const textsOf = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Each field of an object schema that may hold a text, at whatever depth, filled with one. */
const optionalTexts = (schema: v.GenericSchema | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(entriesOf(schema)).flatMap(([name, field]) => {
      const filled = filledWithText(field);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );

function filledWithText(field: v.GenericSchema): unknown {
  if ('wrapped' in field) return filledWithText(field.wrapped as v.GenericSchema);
  const within = field.type === 'array' && 'item' in field ? filledWithText(field.item as v.GenericSchema) : undefined;
  const inside = optionalTexts(field);
  const candidates = ['x', within === undefined ? ['x'] : [within], { x: 'x' }, [{ x: 'x' }], inside];
  return candidates.find((value) => field['~run']({ value }, {}).typed);
}

const places = Object.entries<Route>(routes);

describe('a text that no store or queue takes, in any field of a request', () => {
  it.each(places)('is refused or quarantined by %s, and never answered 500 (C-INGEST-15)', async (_, route) => {
    const example = { token, ...fullExample(route) };
    for (const text of hostile)
      for (const part of ['params', 'query', 'body'] as const)
        for (const other of variants(example[part], text)) {
          const answer = await send({ ...example, [part]: other });
          const place = `${text} in ${part} of ${route.path}: ${JSON.stringify(other)}: ${answer.text}`;
          expect(answer.status, place).toBeLessThan(500);
          // What holds events or a document reads each item by itself.
          const isItems = part === 'body' && (route.body?.kind === 'bytes' || route.body?.document !== undefined);
          const isUndeclared = part !== 'body' && Object.keys(Object(other)).some((key) => key.startsWith('extra'));
          if (isItems || isUndeclared) continue;
          expect(answer.status, place).toBeGreaterThanOrEqual(400);
          if (answer.status === 422) expect(['validation_error', 'invalid_grant'], place).toContain(codeOf(answer));
        }
  });
});

describe('a long text with a character of two units before any place where texts are cut', () => {
  it.each(places)('is never cut through it by %s (C-INGEST-15)', async (_, route) => {
    const example = { token, ...fullExample(route) };
    for (const length of [199, 499])
      for (const part of ['params', 'query', 'body'] as const)
        for (const other of variants(example[part], `${'a'.repeat(length)}\u{1f600}`)) {
          const answer = await send({ ...example, [part]: other });
          expect(answer.status, `${length} in ${part} of ${route.path}: ${answer.text}`).toBeLessThan(500);
        }
  });

  it('stays whole in every key and index', () => {
    for (let length = 0; length < 600; length++) {
      const text = `${'a'.repeat(length)}\u{1f600}${'b'.repeat(600)}`;
      const made = [
        scopePlace({ scopeKey: text, scope: 's' as never }),
        ...nameTails(text),
        indexedColumn(text),
        ...searchWords(text),
      ];
      for (const one of made) expect([length, one.isWellFormed()]).toEqual([length, true]);
    }
  });
});

/** A value with a list in place of each of its objects in turn, and where that is. */
function withLists(value: unknown, path = ''): readonly { readonly path: string; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    withLists(one, `${path}/${key}`).map((other) => ({
      ...other,
      value: Array.isArray(value) ? value.with(Number(key), other.value) : { ...value, [key]: other.value },
    })),
  );
  return Array.isArray(value) ? inner : [{ path, value: [] }, ...inner];
}

describe('a list where an object belongs', () => {
  it.each(places)('is refused at its place by %s (C-ERROR-2)', async (_, route) => {
    const example = { token, ...fullExample(route) };
    if (route.body?.kind !== 'json') return;
    for (const other of withLists(example.body)) {
      // The content of a document is of other tools, and is read leniently.
      if (/^\/(?:manifest|project|export)(?:\/|$)/.test(other.path)) continue;
      const answer = await send({ ...example, body: other.value });
      const errors = [{ path: other.path, message: 'must be an object' }];
      expect([other.path, answer.status, JSON.parse(answer.text).detail.errors]).toEqual([other.path, 422, errors]);
    }
  });
});

describe('a message', () => {
  it.each([...hostile, '😀'])('that holds %j has only characters that queues take, and is read as it was', (text) => {
    const body = fairMessage({ kind: 'tell', name: `${text}b` }, 'w').MessageBody;
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
    // The queue of the local service takes no characters of two units.
    expect(body).toMatch(/^[ -\ud7ff\ue000-\ufffd]*$/);
    expect(JSON.parse(body)).toEqual({ kind: 'tell', name: `${text}b` });
  });
});
