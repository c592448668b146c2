import querystring from 'node:querystring';
import * as v from 'valibot';
import type { Entity } from '../../test/exporters/datahub-api.ts';

const Aspects = v.record(v.string(), v.unknown());
const Snapshot = v.object({ urn: v.string(), aspects: v.array(Aspects) });
const Patch = v.array(v.object({ op: v.string(), path: v.string(), value: v.optional(v.unknown()) }));
const Proposal = v.object({
  entityUrn: v.string(),
  aspectName: v.string(),
  changeType: v.string(),
  aspect: v.object({ json: v.unknown() }),
});
const Change = v.union([v.object({ proposedSnapshot: v.record(v.string(), Snapshot) }), Proposal]);

/** The entities that the changes of a golden file leave in a DataHub, as its API answers them: by kind in lower case. */
export function entitiesOf(changes: unknown): Record<string, Entity[]> {
  const entities = new Map<string, Record<string, unknown>>();
  const put = (urn: string, aspect: string, value: unknown) =>
    entities.set(urn, { ...entities.get(urn), urn, [aspect]: { value } });
  for (const one of Array.isArray(changes) ? changes : []) {
    const read = v.safeParse(Change, one);
    if (!read.success) continue;
    const change = read.output;
    if ('proposedSnapshot' in change) {
      for (const { urn, aspects } of Object.values(change.proposedSnapshot))
        for (const [name, value] of aspects.flatMap((aspect) => Object.entries(aspect)))
          put(urn, aspectOf(name), value);
    } else if (change.changeType !== 'PATCH') put(change.entityUrn, change.aspectName, change.aspect.json);
    else put(change.entityUrn, change.aspectName, patched(entities.get(change.entityUrn)?.[change.aspectName], change));
  }
  const all = [...entities.values()].filter((entity) => !isRemoved(entity)) as Entity[];
  const byKind = Object.groupBy(all, ({ urn }) => urn.split(':')[2]?.toLowerCase() ?? '');
  return { dataset: [], datajob: [], chart: [], dashboard: [], ...(byKind as Record<string, Entity[]>) };
}

/** `com.linkedin.pegasus2avro.chart.ChartInfo`: `chartInfo`. */
const aspectOf = (name: string): string => {
  const last = name.split('.').at(-1) ?? '';
  return last.charAt(0).toLowerCase() + last.slice(1);
};

const isRemoved = ({ status }: Record<string, unknown>): boolean =>
  v.is(v.object({ value: v.object({ removed: v.literal(true) }) }), status);

/** Adds members, and elements of lists that are named by their URNs: what the files patch. */
function patched(before: unknown, { aspect: { json } }: v.InferOutput<typeof Proposal>): unknown {
  const value: Record<string, unknown> = { ...v.parse(v.optional(v.object({ value: Aspects })), before)?.value };
  for (const { op, path, value: added } of v.parse(Patch, Array.isArray(json) ? json : Object(json).patch)) {
    const [, member = '', ...rest] = path.split('/');
    if (op !== 'add') continue;
    const list = Array.isArray(value[member]) ? (value[member] as unknown[]) : [];
    value[member] = rest.length === 0 ? added : rest[0]?.startsWith('urn:') ? [...list, added] : value[member];
  }
  return value;
}

const InputFields = v.object({
  value: v.object({
    fields: v.array(v.object({ schemaFieldUrn: v.string(), schemaField: v.object({ fieldPath: v.string() }) })),
  }),
});

type ChartField = Record<'tool' | 'chart' | 'field' | 'dataset' | 'column', string>;

/** The fields of charts that show a field of a dataset, read from the URNs without the service's own parser. */
export const chartFields = (charts: readonly Entity[]): ChartField[] =>
  charts.flatMap(({ urn: chart, inputFields }) => {
    const read = v.safeParse(InputFields, inputFields);
    if (!read.success) return [];
    const tool = chart.slice(chart.indexOf('(') + 1, chart.indexOf(','));
    return read.output.value.fields.flatMap(({ schemaFieldUrn, schemaField: { fieldPath } }) => {
      const inner = schemaFieldUrn.slice('urn:li:schemaField:('.length, -1);
      const end = inner.indexOf('),');
      if (!inner.startsWith('urn:li:dataset:') || end < 0) return [];
      const column = columnOf(querystring.unescape(inner.slice(end + 2)));
      return [{ tool, chart, field: columnOf(fieldPath), dataset: inner.slice(0, end + 1), column }];
    });
  });

/** A path of the second version without the types between its names. */
const columnOf = (path: string): string =>
  path.startsWith('[')
    ? path
        .split('.')
        .filter(
          (part, i, all) => !part.startsWith('[') && !(i > 0 && all[i - 1] === '[version=2' && part.endsWith(']')),
        )
        .join('.')
    : path;
