import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validatorModule } from '../../../../scripts/build-openlineage-validators.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import { dataset, facet, runEvent } from './events.ts';

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

  it('ignores every field that the kind of event does not define', () => {
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
