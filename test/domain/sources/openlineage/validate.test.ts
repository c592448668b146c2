import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validatorModule } from '../../../../scripts/build-openlineage-validators.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import { dataset, facet, runEvent } from './events.ts';
import { interpret } from './interpret.ts';

const givenCases = ['validation-cases', 'validation-cases-2'].map(
  (name) => new URL(`../../../../../shared/openlineage/${name}.json`, import.meta.url),
);

describe.each(givenCases.filter((file) => existsSync(file)))('the given validation cases', (provided) => {
  type Case = {
    name: string;
    event: unknown;
    valid: boolean;
    kind: string | null;
    invalid_facets: string[];
    /** Only facets are invalid, so that the event counts without them. */
    facets_only?: true;
  };
  const cases: Case[] = existsSync(provided) ? JSON.parse(readFileSync(provided, 'utf8')).cases : [];
  it.each(cases)('$name', ({ event, valid, kind, invalid_facets, facets_only }) => {
    const result = validateEvent(event);
    expect(result.valid).toBe(valid || facets_only === true);
    if (!result.valid || facets_only) return;
    expect(result.kind).toBe(kind);
    expect(result.facetFindings.map(({ path }) => path)).toEqual(invalid_facets);
  });
});

/** An event with every optional member of the facets that lineage is read from. */
const fullEvent = () => ({
  ...runEvent({
    jobFacets: {
      jobType: facet({ processingType: 'BATCH', integration: 'SPARK', jobType: 'JOB' }),
      sql: facet({ query: 'insert into b select x from a', dialect: 'ansi' }),
      ownership: facet({ owners: [{ name: 'team', type: 'OWNER' }] }),
    },
    inputs: [dataset('a', { schema: facet({ fields: [{ name: 'x', type: 'int', description: 'text' }] }) })],
    outputs: [
      dataset('b', {
        schema: facet({ fields: [{ name: 'x', type: 'int' }] }),
        symlinks: facet({ identifiers: [{ ...dataset('c'), type: 'TABLE' }] }),
        lifecycleStateChange: facet({ lifecycleStateChange: 'CREATE', previousIdentifier: dataset('d') }),
        columnLineage: facet({
          fields: {
            x: {
              inputFields: [
                {
                  ...dataset('a'),
                  field: 'x',
                  transformations: [{ type: 'DIRECT', subtype: 'IDENTITY', description: 'x', masking: false }],
                },
              ],
              transformationDescription: 'text',
              transformationType: 'IDENTITY',
            },
          },
          dataset: [{ ...dataset('a'), field: 'y', transformations: [{ type: 'INDIRECT', subtype: 'FILTER' }] }],
        }),
      }),
    ],
  }),
});

const memberAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((holder, step) => Reflect.get(Object(holder), step), value);

const output = ['outputs', 0, 'facets'] as const;
const lineageField = [...output, 'columnLineage', 'fields', 'x'] as const;
const optionalMembers: readonly { readonly path: readonly (string | number)[]; readonly key: string }[] = [
  { path: ['job'], key: 'facets' },
  { path: ['job', 'facets', 'sql'], key: 'dialect' },
  { path: ['job', 'facets', 'jobType'], key: 'jobType' },
  { path: ['job', 'facets', 'ownership'], key: 'owners' },
  { path: ['job', 'facets', 'ownership', 'owners', 0], key: 'type' },
  { path: ['inputs', 0], key: 'facets' },
  { path: ['inputs', 0, 'facets', 'schema'], key: 'fields' },
  ...['type', 'description'].map((key) => ({ path: ['inputs', 0, 'facets', 'schema', 'fields', 0], key })),
  ...['schema', 'symlinks', 'lifecycleStateChange', 'columnLineage'].map((key) => ({ path: output, key })),
  { path: [...output, 'symlinks'], key: 'identifiers' },
  { path: [...output, 'lifecycleStateChange'], key: 'previousIdentifier' },
  { path: [...output, 'columnLineage'], key: 'dataset' },
  ...['transformationDescription', 'transformationType'].map((key) => ({ path: lineageField, key })),
  { path: [...lineageField, 'inputFields', 0], key: 'transformations' },
  ...['subtype', 'description', 'masking'].map((key) => ({
    path: [...lineageField, 'inputFields', 0, 'transformations', 0],
    key,
  })),
];

describe('validating an event', () => {
  const base = { eventTime: '2026-03-01T10:00:00Z', producer: 'https://e.test', schemaURL: 'https://e.test/s.json' };
  const job = { namespace: 'n', name: 'j' };

  it('names the place and the rule, and never the value', () => {
    const result = validateEvent({ ...runEvent({}), run: { runId: 'secret' } });
    const errors = [{ path: '/run/runId', message: 'must be a UUID' }];
    expect(result).toEqual({ valid: false, code: 'invalid_event', errors });
  });

  it('takes a job beside a dataset that is none: just one branch of the root schema holds', () => {
    expect(validateEvent({ ...base, job, dataset: null })).toMatchObject({ valid: true, kind: 'JobEvent' });
    expect(validateEvent({ ...base, job: {}, dataset: dataset('d') })).toMatchObject({
      valid: true,
      kind: 'DatasetEvent',
    });
    expect(validateEvent({ ...base, job, dataset: dataset('d') }).valid).toBe(false);
    expect(validateEvent({ ...base, job: {}, dataset: null }).valid).toBe(false);
  });

  it('leaves what the kind does not define unread, whatever it is', () => {
    const strange = { run: 7, inputs: 7, outputs: [7], job: undefined };
    const { job: _, ...event } = { ...base, ...strange, dataset: dataset('d') };
    expect(validateEvent(event)).toMatchObject({ valid: true, kind: 'DatasetEvent', facetFindings: [] });
  });

  it('drops a facet that breaks its schema and keeps the rest of the event (C-OPENLINEAGE-16)', () => {
    const facets = { schema: facet({ fields: [{ type: 'int' }] }), custom: facet({ any: 1 }) };
    const result = validateEvent(runEvent({ outputs: [dataset('a'), dataset('b', facets)] }));
    expect(result).toMatchObject({
      valid: true,
      event: { outputs: [dataset('a'), dataset('b', { custom: facet({ any: 1 }) })] },
      facetFindings: [{ path: '/outputs/1/facets/schema', rule: "/fields/0 must have required property 'name'" }],
    });
  });

  it.each([
    ['null for all facets', null, []],
    ['a list for all facets', [], ['/inputs/0/facets must be object']],
    ['a null facet', { schema: null, columnLineage: null }, []],
    [
      'a facet without its producer',
      { team: { x: 1 } },
      ["/inputs/0/facets/team must have required property '_producer'"],
    ],
  ])('reads an event with %s (C-OPENLINEAGE-16)', (_, facets, rules) => {
    const result = validateEvent(runEvent({ inputs: [{ ...dataset('a'), facets }], outputs: [dataset('b')] }));
    expect(result.valid && result.facetFindings.map(({ path, rule }) => `${path} ${rule}`)).toEqual(rules);
  });

  it('drops only the member of a facet that breaks its schema, and reads null as nothing (C-OPENLINEAGE-16)', () => {
    const source = { ...dataset('a'), field: 'x' };
    const mapped = (transformations: unknown) => ({
      columnLineage: facet({
        fields: { x: { inputFields: [{ ...source, ...(transformations !== undefined && { transformations }) }] } },
      }),
    });
    const read = (transformations: unknown) =>
      validateEvent(runEvent({ inputs: [dataset('a')], outputs: [dataset('b', mapped(transformations))] }));
    expect(read([{ type: 'DIRECT', description: null }])).toEqual(read([{ type: 'DIRECT' }]));
    const path = '/outputs/0/facets/columnLineage';
    expect(read('a text')).toEqual({
      ...read(undefined),
      facetFindings: [{ path, rule: '/fields/x/inputFields/0/transformations must be array', isMember: true }],
    });
    // A list that lacks a source would say that there is no other.
    const { columnLineage: broken } = mapped([]);
    const lacking = { columnLineage: { ...broken, fields: { x: { inputFields: [source, { name: 'a' }] } } } };
    const result = validateEvent(runEvent({ outputs: [dataset('b', lacking)] }));
    expect(result).toMatchObject({ valid: true, event: { outputs: [{ facets: {} }] }, facetFindings: [{ path }] });
  });

  it('tells all rules that an event breaks, in words', () => {
    const { run: _, ...event } = runEvent({
      inputs: [dataset('a'), { namespace: 'n' }],
      outputs: [dataset('b', { t: { x: 1 } })],
    });
    const result = validateEvent({
      ...event,
      run: { runId: 7 },
      eventTime: '2026-03-01T10:00:00',
      producer: 'me',
      inputs: [...event.inputs],
    });
    expect(!result.valid && result.errors.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
      '/eventTime needs a time zone: Z, or an offset such as +02:00',
      '/inputs/1 must have the member name',
      "/outputs/0/facets/t must have required property '_producer'",
      '/producer must be a URI',
      '/run/runId must be string',
    ]);
  });

  it('refuses an event whose inputs × outputs nobody could mean (C-OPENLINEAGE-19)', () => {
    const many = Array.from({ length: 501 }, (_, i) => dataset(`t${i}`));
    const rule = { path: '/outputs', message: 'must not make more than 250000 pairs with inputs' };
    expect(validateEvent(runEvent({ inputs: many, outputs: many }))).toEqual({
      valid: false,
      code: 'invalid_event',
      errors: [rule],
    });
    expect(validateEvent(runEvent({ inputs: many, outputs: many.slice(2) })).valid).toBe(true);
  });

  it('means the same without an optional member of a facet, with null in its place, or with another type (C-OPENLINEAGE-16)', () => {
    const full = fullEvent();
    for (const { path, key } of optionalMembers) {
      const changed = (change: (holder: Record<string, unknown>) => void) => {
        const event = structuredClone(full);
        change(memberAt(event, path) as Record<string, unknown>);
        return interpret([event]);
      };
      const without = changed((holder) => delete holder[key]);
      const at = [...path, key].join('/');
      expect(
        changed((holder) => Object.assign(holder, { [key]: null })),
        at,
      ).toEqual(without);
      for (const wrong of [7, 'text', true, [7], { a: 7 }])
        if (typeof wrong !== typeof memberAt(full, [...path, key]))
          expect(
            changed((holder) => Object.assign(holder, { [key]: wrong })),
            at,
          ).toEqual(without);
    }
  });

  it('survives a facet that nests without end', () => {
    const fields = `${'{"name":"a","fields":['.repeat(100_000)}${']}'.repeat(100_000)}`;
    const schema = JSON.stringify(facet({ fields: ['deep'] })).replace('"deep"', fields);
    const event: unknown = JSON.parse(
      JSON.stringify(runEvent({ outputs: [dataset('b', { schema: 'deep' })] })).replace('"deep"', schema),
    );
    expect(validateEvent(event)).toMatchObject({ valid: true, facetFindings: [{ path: '/outputs/0/facets/schema' }] });
  });

  it.each([
    ['2026-03-01t10:00:00z', true],
    ['2024-02-29T10:00:00+14:00', true],
    ['1900-02-29T10:00:00Z', false],
    ['2016-12-31T23:59:60Z', true],
    ['2016-12-31T18:59:60-05:00', true],
    ['2016-12-31T12:00:60Z', false],
    ['2026-03-01T24:00:00Z', false],
    ['2026-03-01T10:00:00', false],
    ['2026-13-01T10:00:00Z', false],
    ['2026-03-01T10:00:00.Z', false],
  ])('judges the time %s as RFC 3339 does', (eventTime, valid) => {
    expect(validateEvent({ ...runEvent({}), eventTime }).valid).toBe(valid);
  });

  it.each([
    ['urn:acme:etl', true],
    ['file:/srv/x', true],
    ['https://user@[2001:db8::1]:8080/a%20b?q=1#/$defs/X', true],
    ['jdbc:postgresql://h:5432/db', true],
    ['https://e.test/a b', false],
    ['https://e.test/%zz', false],
    ['//e.test/a', false],
    ['1http://e.test', false],
    ['', false],
  ])('judges the URI %s as RFC 3986 does', (producer, valid) => {
    expect(validateEvent({ ...runEvent({}), producer }).valid).toBe(valid);
  });
});

it('the compiled validators are those of the schemas', () => {
  const generated = new URL(
    '../../../../shared/domain/lineage/sources/openlineage/generated/validators.js',
    import.meta.url,
  );
  expect(readFileSync(generated, 'utf8') === validatorModule()).toBe(true);
});
