import { describe, expect, it } from 'vitest';
import { withReadableFacets } from '../../../../shared/domain/lineage/sources/openlineage/valid-facets.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import { dataset, facet, runEvent } from './events.ts';
import { interpret } from './interpret.ts';

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

describe('an event with facets that cannot be read', () => {
  it('is otherwise left as it is, whatever it holds', () => {
    const odd = { run: null, inputs: 7, outputs: [7, { facets: {} }], dataset: { facets: null } };
    expect(withReadableFacets(odd, ['run', 'inputs', 'outputs'])).toEqual({ event: odd, facetFindings: [] });
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
});
