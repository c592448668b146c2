import * as v from 'valibot';

const Dataset = v.looseObject({ namespace: v.string(), name: v.string() });
const Field = v.looseObject({
  ...Dataset.entries,
  field: v.string(),
  transformations: v.optional(v.array(v.looseObject({ type: v.string(), subtype: v.nullish(v.string()) })), []),
});
const Columns = v.looseObject({
  fields: v.optional(v.record(v.string(), v.looseObject({ inputFields: v.array(Field) })), {}),
  dataset: v.optional(v.array(Field), []),
});
const Event = v.looseObject({
  inputs: v.optional(v.array(Dataset), []),
  outputs: v.optional(
    v.array(
      v.looseObject({ ...Dataset.entries, facets: v.optional(v.looseObject({ columnLineage: v.optional(Columns) })) }),
    ),
    [],
  ),
});

export const edgeHeading = [
  'upstream_namespace',
  'upstream_name',
  'upstream_column',
  'downstream_namespace',
  'downstream_name',
  'downstream_column',
  'type',
  'subtype',
];

type Edge = readonly (string | null)[];

export function edgesOf(event: unknown): readonly Edge[] {
  const { inputs, outputs } = v.parse(Event, event);
  return outputs.flatMap(({ namespace, name, facets }) => {
    const tables = inputs.map((input) => [input.namespace, input.name, null, namespace, name, null, null, null]);
    const { fields = {}, dataset = [] } = facets?.columnLineage ?? {};
    const mapped = Object.entries(fields).map(([column, { inputFields }]) => [column, inputFields] as const);
    const all: readonly (readonly [string | null, typeof dataset])[] = [...mapped, [null, dataset]];
    return [
      ...tables,
      ...all.flatMap(([column, sources]) => sources.flatMap((one) => rows(one, [namespace, name, column]))),
    ];
  });
}

function rows(source: v.InferOutput<typeof Field>, target: Edge): readonly Edge[] {
  const kinds = source.transformations.length > 0 ? source.transformations : [{ type: null, subtype: null }];
  return kinds.map(({ type, subtype }) => [
    ...[source.namespace, source.name, source.field],
    ...target,
    ...[type, subtype ?? null],
  ]);
}
