import fc from 'fast-check';

export type Schema = { readonly [key: string]: unknown };
type Known = Readonly<Record<string, readonly unknown[]>>;

const junk = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\ufffe',
    '😀'.repeat(400),
    '../..',
    '%00',
    'x'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that mostly keep to a schema and sometimes break it; a field of a known name is often given what there is of it. */
export function valuesOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const own = known[name] ?? [];
  return fc.oneof(
    { weight: own.length > 0 ? 40 : 0, arbitrary: own.length > 0 ? fc.constantFrom(...own) : junk },
    { weight: 12, arbitrary: valid(schema, known, name) },
    { weight: 1, arbitrary: junk },
  );
}

function valid(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, enum: words } = schema;
  const among = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (among) return fc.oneof(...among.map((one) => valuesOf(one, known, name)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(words)) return fc.constantFrom(...words);
  switch (schema['type']) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: bound(schema['minimum'], -5), max: bound(schema['maximum'], 3_000) });
    case 'number':
      return fc.double({ min: bound(schema['minimum'], -5), max: bound(schema['maximum'], 5), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return list(schema, known, name);
    case 'object':
      return object(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

const bound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

function text({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'));
  const most = Math.min(bound(maxLength, 30), 60);
  return fc.string({
    unit: 'grapheme',
    minLength: bound(minLength, 0),
    maxLength: Math.max(most, bound(minLength, 0)),
  });
}

const list = ({ items, minItems, maxItems }: Schema, known: Known, name: string): fc.Arbitrary<unknown> => {
  const least = bound(minItems, 0);
  const most = Math.max(least, Math.min(bound(maxItems, 3), 3));
  return fc.array(valuesOf((items ?? {}) as Schema, known, name), { minLength: least, maxLength: most });
};

function object({ properties = {}, required = [], additionalProperties }: Schema, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>);
  const requiredKeys = (required as readonly string[]).filter((key) => fields.some(([name]) => name === key));
  const record = fc.record(Object.fromEntries(fields.map(([key, one]) => [key, valuesOf(one, known, key)])), {
    requiredKeys,
  });
  if (additionalProperties === false) return record;
  const more = typeof additionalProperties === 'object' && additionalProperties !== null ? additionalProperties : {};
  return fc
    .tuple(fc.dictionary(fc.string({ maxLength: 8 }), valuesOf(more as Schema, known), { maxKeys: 2 }), record)
    .map(([others, own]) => ({ ...others, ...(own as object) }));
}
