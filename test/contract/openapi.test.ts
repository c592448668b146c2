import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { valueAt } from '../../shared/contract/field-errors.ts';
import { problems } from '../../shared/contract/problems.ts';
import { problemsOf, type Route } from '../../shared/contract/route.ts';
import { version } from '../../shared/contract/system.ts';
import { dereferenced } from '../support/dereferenced.ts';

const documents = { collection: collectionOpenApi(routes), service: serviceOpenApi(routes) };
const folder = path.resolve(import.meta.dirname, '../../docs/openapi');

describe.each(Object.entries(documents))('the %s API description', (name, document) => {
  it('is what `npm run openapi` wrote', () => {
    const retained = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
    expect(retained).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('is OpenAPI 3.1 with one id an operation and every path parameter declared', () => {
    expect(document['openapi']).toBe('3.1.0');
    const ids: unknown[] = [];
    for (const [place, , operation] of operationsOf(dereferenced(document))) {
      ids.push(operation['operationId']);
      const parameters = operation['parameters'] as { name: string; in: string }[];
      const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect(declared.toSorted(), place).toEqual([...place.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted());
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('holds JSON Schemas that compile, and references that resolve', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    const references = [...partsOf(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    for (const reference of references) expect(valueAt(document, reference), reference).toBeDefined();
    const schemas = [...partsOf(dereferenced(document))].flatMap((part) =>
      isObject(part['schema']) ? [part['schema']] : [],
    );
    expect(schemas.length).toBeGreaterThan(20);
    for (const schema of new Map(schemas.map((one) => [JSON.stringify(one), one])).values())
      expect(() => ajv.compile(schema)).not.toThrow();
  });
});

describe.each(Object.entries(documents))('the parts that operations of the %s API description share', (_, document) => {
  const operations = [...operationsOf(document)].map(([, , operation]) => operation);

  it('are there once and referenced: each refusal, each parameter and each schema that is not short', () => {
    const refusals = operations.flatMap(({ responses }) =>
      Object.entries(responses as Json).flatMap(([status, one]) => (status < '400' ? [] : [one])),
    );
    expect(refusals.filter((one) => !isObject(one) || !('$ref' in one))).toEqual([]);
    const parameters = operations.flatMap(({ parameters }) => parameters as Json[]);
    expect(repeatedIn(parameters.filter((one) => !('$ref' in one)))).toEqual([]);
    const { schemas, responses, parameters: shared } = document['components'] as Record<string, Json>;
    for (const retained of [schemas, responses, shared]) expect(repeatedIn(Object.values(retained ?? {}))).toEqual([]);
    const within = [...partsOf([document['paths'], schemas])].filter(
      (part) => ['type', 'anyOf', 'oneOf'].some((key) => key in part) && JSON.stringify(part).length >= 200,
    );
    expect(repeatedIn(within)).toEqual([]);
  });

  it('are each used', () => {
    const text = JSON.stringify(document);
    for (const [kind, stored] of Object.entries(document['components'] as Record<string, Json>))
      if (kind !== 'securitySchemes')
        for (const name of Object.keys(stored)) expect(text).toContain(`"#/components/${kind}/${name}"`);
  });

  it('mean the same in place: without references it takes and gives what the routes say', () => {
    const inPlace = dereferenced(document);
    expect(JSON.stringify(inPlace)).not.toContain('"$ref"');
    expect([...operationsOf(inPlace)]).toHaveLength(operations.length);
  });
});

describe('the API descriptions together', () => {
  it('stay small: less than 450 KB as they are served', () => {
    const bytes = Object.values(documents).map((one) => Buffer.byteLength(JSON.stringify(one)));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(450_000);
  });

  it('hold every path of every route', () => {
    const described = [
      ...[...operationsOf(documents.collection)].map(([place, method]) => `${method} /collect${place}`),
      ...[...operationsOf(documents.service)].map(([place, method]) => `${method} ${place}`),
    ];
    for (const place of ['/collect/batch', '/collect/e', '/collect/i/v0/e'])
      expect(described).toEqual(expect.arrayContaining([`POST ${place}`, `POST ${place}/`]));
    const all = Object.values<Route>(routes);
    const declared = all.flatMap(({ method, path: place, aliases = [] }) =>
      [place, ...aliases].map((one) => `${method} ${one}`),
    );
    const withoutSlash = new Set(described.map((one) => one.replace(/\/$/, '')));
    expect([...withoutSlash].toSorted()).toEqual(declared.toSorted());
  });

  it('say of every operation which headers its responses have, and that its body may be too slow (C-ERROR-4, C-LIMIT-2)', () => {
    for (const [name, document] of Object.entries(documents))
      for (const [place, , operation] of operationsOf(dereferenced(document))) {
        const responses = Object.entries(operation['responses'] as Record<string, { headers: Json }>);
        expect(Object.keys(Object.fromEntries(responses)), place).toContain('408');
        const ofCollection = ['Access-Control-Allow-Origin', 'Vary', 'X-Service-Collection-Status'];
        for (const [status, { headers }] of responses) {
          expect(Object.keys(headers), place).toEqual(expect.arrayContaining(['X-Request-ID', 'Cache-Control']));
          if (name === 'collection') expect(Object.keys(headers), place).toEqual(expect.arrayContaining(ofCollection));
          expect('WWW-Authenticate' in headers, place).toBe(status === '401');
        }
      }
  });

  it('have the forms of a payload, and both that the Model Context Protocol is refused in (C-AGENT-5)', () => {
    const { paths } = dereferenced(documents.service) as unknown as Record<
      'paths',
      Record<string, Record<string, Json>>
    >;
    const schemaAt = (place: string, method: string, status: string) =>
      valueAt(paths[place]?.[method] ?? {}, `#/responses/${status}/content`) as Record<string, { schema: Json }>;
    const payload = schemaAt('/v1/lineage/deliveries/{delivery_id}/payload', 'get', '200')['application/json']?.schema;
    expect(payload?.['anyOf']).toHaveLength(5);
    const refused = schemaAt('/mcp', 'post', '400')['application/json']?.schema;
    const required = (refused?.['anyOf'] as Json[] | undefined)?.map((one) => one['required']);
    expect(required).toEqual([['detail'], ['jsonrpc', 'error']]);
  });

  it('say of every route how it may refuse, by codes of the catalogue', () => {
    for (const route of Object.values<Route>(routes)) {
      const codes = problemsOf(route);
      expect(codes).toContain('internal_error');
      for (const code of codes) expect(problems).toHaveProperty(code);
    }
  });

  it('let no token without the scope admin do what only the role admin may', () => {
    const ofAdmins = Object.values<Route>(routes).flatMap(({ path: place, access }) =>
      access.kind === 'member' && access.role === 'admin' ? [[place, access.scope]] : [],
    );
    for (const [place, scope] of ofAdmins) expect(scope, place).toBe('admin');
  });

  it('give each operation a tag', () => {
    for (const document of Object.values(documents)) {
      const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
      for (const [place, method, { tags: own }] of operationsOf(document))
        expect(tags, `${method} ${place}`).toEqual(expect.arrayContaining(own as string[]));
    }
  });

  it('show no example that its own schema does not take', () => {
    const replies = Object.values<Route>(routes).flatMap(({ path: place, replies }) =>
      Object.values(replies).map((reply) => ({ place, reply })),
    );
    const examples = replies.filter(({ reply }) => 'example' in reply);
    expect(examples.length).toBeGreaterThan(4);
    for (const { place, reply } of examples)
      if ('example' in reply) expect(v.is(reply.schema, reply.example), place).toBe(true);
  });

  it('say the version of the package', () => {
    const { version: ofPackage } = JSON.parse(readFileSync(path.join(folder, '../../package.json'), 'utf8'));
    expect(version).toBe(ofPackage);
  });

  it('describe numbers in queries as numbers, with defaults of that type', () => {
    const impact = [...operationsOf(dereferenced(documents.service))].find(
      ([place]) => place === '/v1/lineage/impact',
    )?.[2];
    expect(impact?.['parameters']).toContainEqual({
      name: 'max_depth',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
    });
  });
});

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* operationsOf(document: Json): Generator<readonly [place: string, method: string, operation: Json]> {
  for (const [place, item] of Object.entries(document['paths'] as Record<string, Record<string, Json>>))
    for (const [method, operation] of Object.entries(item)) yield [place, method.toUpperCase(), operation];
}

const repeatedIn = (values: readonly unknown[]): string[] => {
  const texts = values.map((one) => JSON.stringify(one));
  return [...new Set(texts.filter((one, index) => texts.indexOf(one) !== index))];
};

function* partsOf(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const one of value) yield* partsOf(one);
  if (!isObject(value)) return;
  yield value;
  for (const one of Object.values(value)) yield* partsOf(one);
}
