import fc from 'fast-check';
import { type Schema, valuesOf } from './values.ts';

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema };

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly bodies: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly needsToken: boolean;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, unknown>>;
        readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
      }
    >
  >;
};

export type FuzzedRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type World = {
  readonly known: Readonly<Record<string, readonly unknown[]>>;
  readonly tokens: readonly string[];
};

/** The operations of an API description without references, whose paths are under a base. */
export function operationsOf(description: Schema, base: string): Operation[] {
  const paths = Object.entries(description['paths'] as Readonly<Record<string, Readonly<Record<string, Schema>>>>);
  return paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({
      id: String(one['operationId']),
      method: method.toUpperCase(),
      path: base + path,
      parameters: (one['parameters'] ?? []) as readonly Parameter[],
      bodies: ((one['requestBody'] as Schema | undefined)?.['content'] ?? {}) as Operation['bodies'],
      needsToken: JSON.stringify(one['security'] ?? []).includes('bearer'),
      responses: one['responses'] as Operation['responses'],
    })),
  );
}

/** Requests of an operation: most are well-formed, some lack or break something. */
export function requestsOf(operation: Operation, world: World): fc.Arbitrary<FuzzedRequest> {
  const fields = fc.record(
    Object.fromEntries(
      operation.parameters.map(({ name, in: place, schema }) => [
        `${place} ${name}`,
        valuesOf(schema, world.known, name),
      ]),
    ),
    {
      requiredKeys: operation.parameters
        .filter(({ required }) => required)
        .map(({ name, in: place }) => `${place} ${name}`),
    },
  ) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
  const token = operation.needsToken ? fc.constantFrom(...world.tokens) : fc.constantFrom('', ...world.tokens);
  return fc.tuple(fields, bodyOf(operation, world), token).map(([given, { type, body }, bearer]) => ({
    path: targetOf(operation, given),
    headers: {
      ...headersOf(given),
      ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
      ...(body !== null && { 'content-type': type }),
    },
    body,
  }));
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

function targetOf({ path }: Operation, provided: Readonly<Record<string, unknown>>): string {
  const own = (place: string) =>
    Object.entries(provided).flatMap(([key, value]) =>
      key.startsWith(`${place} `) ? [[key.slice(place.length + 1), textOf(value)] as const] : [],
    );
  const filled = own('path').reduce((text, [name, value]) => text.replace(`{${name}}`, () => segmentOf(value)), path);
  const query = new URLSearchParams(Object.fromEntries(own('query')));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** A header holds visible ASCII. */
const headersOf = (provided: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(provided).flatMap(([key, value]) =>
      key.startsWith('header ') ? [[key.slice(7), textOf(value).replace(/[^\x21-\x7e]/g, '') || 'x']] : [],
    ),
  );

type BodyText = { readonly type: string; readonly body: string | null };

function bodyOf({ bodies }: Operation, { known }: World): fc.Arbitrary<BodyText> {
  const forms = Object.entries(bodies).map(([type, { schema }]) =>
    fc
      .oneof({ weight: 3, arbitrary: valuesOf(schema, known) }, withHostileText(valuesOf(schema, known)))
      .map((value) => ({ type, body: written(type, value) })),
  );
  if (forms.length === 0) return fc.constant({ type: '', body: null });
  const broken = fc.constantFrom('', '{', '[]', 'null', '{"a":1,"a":2}', '\ufeff{}', '[[[[', '{"workspace_id":1e999}');
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...forms) },
    { weight: 1, arbitrary: broken.map((body) => ({ type: 'application/json', body })) },
    { weight: 1, arbitrary: fc.constant({ type: 'text/csv', body: 'a,b' }) },
  );
}

const hostile = ['\u0000', '\ud800', '\udfff', '\ufffe', '\uffff'];

/** The same values, with a character that stores and queues refuse in one string or in each. */
const withHostileText = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.constantFrom(...hostile), fc.nat(9)).map(([value, character, at]) => {
    let count = 0;
    const isChosen = () => at >= 7 || count++ === at;
    const text = JSON.stringify(value, (_, one) => (typeof one === 'string' && isChosen() ? one + character : one));
    return text === undefined ? value : JSON.parse(text);
  });

function written(type: string, value: unknown): string {
  const isForm = type === 'application/x-www-form-urlencoded' && typeof value === 'object' && value !== null;
  if (!isForm) return JSON.stringify(value) ?? '';
  return new URLSearchParams(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, textOf(one)])),
  ).toString();
}

/** A segment of a path. A segment of only dots names another path to every client (RFC 3986, 5.2.4). */
const segmentOf = (value: string): string => (/^\.{0,2}$/.test(value) ? 'x' : encodeURIComponent(value));
