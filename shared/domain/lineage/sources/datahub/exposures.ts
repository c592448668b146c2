import * as v from 'valibot';
import { exposureUrn } from '../../../../contract/layers.ts';
import { limits } from '../../../../contract/limits.ts';
import { findOrAdd } from '../../../base/collections.ts';
import type { ColumnMapping, Unresolved } from '../../graph/derivation.ts';
import { exposureFacts, exposureWithoutColumns } from '../../graph/exposure.ts';
import { type Node, type Urn, urnOf } from '../../graph/node.ts';
import { boundedSchema, type RelationSchema } from '../../graph/schema.ts';
import { columnOfPath, isWellFormedUrn, nameInUrn, parseFieldUrn } from '../../names/datahub-urn.ts';
import { type CatalogContext, type Declared, type DocumentItem, rules, string, strings } from '../declared/declared.ts';

const urn = v.pipe(
  string,
  v.maxLength(limits.openlineage.name, `must have at most ${limits.openlineage.name} characters`),
  v.check(isWellFormedUrn, 'must be a well-formed DataHub URN'),
);
const Field = v.object({ fieldPath: v.nullish(string, ''), schemaFieldUrn: v.nullish(string, '') }, rules.object);

/** A chart or dashboard with what it reads; a dashboard consists of the charts and dashboards among its inputs. */
export const Exposure = v.object(
  {
    urn: v.pipe(
      urn,
      v.check((text) => exposureUrn(text) !== null, 'must be the URN of a chart or a dashboard'),
    ),
    title: v.nullish(string),
    owners: v.nullish(strings, []),
    inputs: v.nullish(v.array(urn, rules.array), []),
    fields: v.nullish(v.array(Field, rules.array), []),
  },
  rules.object,
);
export type Exposure = v.InferOutput<typeof Exposure>;
type Items = readonly DocumentItem<Exposure>[];
type NodeAt = (urn: string) => Node | null;

/** The fields with the columns that they show; `source` is null if the URN cannot be read. */
const fieldsOf = ({ fields }: Exposure) =>
  fields.flatMap(({ fieldPath, schemaFieldUrn }) => {
    const source = parseFieldUrn(schemaFieldUrn);
    const outputColumn = columnOfPath(fieldPath) || source?.field;
    return outputColumn ? [{ outputColumn, urn: schemaFieldUrn, source }] : [];
  });

type Stated = Pick<Declared, 'derivations'> & { readonly schema: readonly [Urn, RelationSchema] | null };
type Source = { readonly input: Node; readonly columns: ColumnMapping[]; readonly unresolved: Unresolved[] };

/** A derivation for each input of a chart or dashboard, and its columns (C-DATAHUB-7). */
export function exposuresStated(scope: CatalogContext, items: Items, nodeAt: NodeAt): Stated[] {
  const known = new Map(items.map(({ value }) => [value.urn, value]));
  return items.map((item) => exposureStated(scope, item, known, nodeAt));
}

function exposureStated(
  { connector, importSource }: CatalogContext,
  { value, place: location }: Items[number],
  known: ReadonlyMap<string, Exposure>,
  nodeAt: NodeAt,
): Stated {
  const { urn: name, title, owners } = value;
  const exposureAt = (one: string): Node => ({ kind: 'exposure', connectorId: connector.id, name: one });
  const output = exposureAt(name);
  const parts = isDashboard(name) ? value.inputs.flatMap((one) => (one === name ? [] : (known.get(one) ?? []))) : [];
  // A dashboard passes on the columns of its parts, and does not read again what they read.
  const inParts = new Set(parts.flatMap((part) => [...part.inputs, ...fieldsOf(part).map((field) => field.urn)]));
  const fields = fieldsOf(value).filter(({ urn: own }) => !inParts.has(own));
  const sources = new Map<Urn, Source>();
  const sourceAt = (one: string): Source | null => {
    const input = exposureUrn(one) ? exposureAt(one) : nodeAt(one);
    if (!input || one === name) return null;
    return findOrAdd(sources, urnOf(input), () => ({ input, columns: [], unresolved: [] }));
  };
  for (const one of value.inputs) if (exposureUrn(one) || !inParts.has(one)) sourceAt(one);
  const stars = parts
    .filter((part) => part.fields.length > 0 || isDashboard(part.urn))
    .map((part) => ({ of: urnOf(exposureAt(part.urn)), except: [], renamed: [] }));
  for (const star of stars)
    sources.get(star.of)?.unresolved.push({ ...whole, reason: unknownPart, open: { kind: 'star', star } });
  const open = fields.flatMap(({ outputColumn, source }): Unresolved[] => {
    const found = source && sourceAt(source.parent);
    if (!found) return [{ outputColumn, reason: source ? 'source_column_not_given' : 'field_urn_malformed' }];
    found.columns.push({ input: found.input, inputColumn: source.field, outputColumn, ...shown });
    return [];
  });
  const reasonOf = ({ kind }: Node) =>
    kind !== 'exposure' && fields.length + parts.length > 0 ? 'input_not_in_column_lineage' : exposureWithoutColumns;
  const names = [...new Set(fields.map(({ outputColumn }) => outputColumn))];
  const schema = boundedSchema({ columns: names.map((one) => ({ name: one, type: null })), stars, complete: true });
  return {
    derivations: [...sources.values()].map(({ input, unresolved, ...one }) => {
      const missing = [...unresolved, ...open];
      return {
        output,
        inputs: [input],
        columns: one.columns,
        unresolved: one.columns.length + missing.length > 0 ? missing : [{ ...whole, reason: reasonOf(input) }],
        producer: { namespace: importSource, name },
        statementKind: null,
        principal: null,
        exposure: exposureFacts({ title, tool: exposureUrn(name)?.tool, owners: owners.map(nameInUrn) }),
        location,
      };
    }),
    schema: names.length + stars.length > 0 ? [urnOf(output), schema] : null,
  };
}

const isDashboard = (one: string): boolean => one.startsWith('urn:li:dashboard:');
const whole = { outputColumn: null } as const;
const unknownPart = 'star_over_unknown_columns';
const shown = { type: 'DIRECT', subtype: 'IDENTITY', masking: false } as const;
