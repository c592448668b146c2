import { beginningOf } from '../../../../contract/fields.ts';
import type { CatalogCounts } from '../../../../contract/lineage.ts';
import type { Budget } from '../../../base/budget.ts';
import { memoised } from '../../../base/caching.ts';
import { findOrAdd } from '../../../base/collections.ts';
import type { ColumnMapping, Derivation, Unresolved } from '../../graph/derivation.ts';
import { exposureFacts } from '../../graph/exposure.ts';
import { type Node, relationRefOf, urnOf } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { nameInUrn, parseDatasetUrn, parseFieldUrn, resolveDatahubUrn } from '../../names/datahub-urn.ts';
import { otherPlatforms } from '../../names/platforms.ts';
import { isAggregate, isMasking } from '../../sql/functions.ts';
import { type CatalogContext, countReasons, type Declared, type DocumentItem } from '../declared/declared.ts';
import type { CatalogEntry, CatalogExport } from './export.ts';
import { exposuresStated } from './exposures.ts';
import { schemasOf } from './schema-metadata.ts';

const namesNoRelation = 'catalog_entry_names_no_relation';
const unresolvedEntry = 'catalog_identity_unresolved';

/** The counts of a receipt: C-INGEST-1. */
export function countCatalog(
  scope: CatalogContext,
  { entries, exposures, unresolved }: CatalogExport,
  itemCount: number,
): CatalogCounts {
  const nodeAt = nodesOf(scope, entries);
  const edges =
    edgesOf(nodeAt, entries).length +
    exposuresStated(scope, exposures, nodeAt).flatMap((one) => one.derivations).length;
  return { edges_received: itemCount, unresolved: unresolved.length, observations: edges };
}

/** C-DECLARED-18: names of other platforms alone are nobody's, or another connector's. */
export function platformWarnings({ kind }: Connector, catalog: CatalogExport) {
  const others = otherPlatforms(kind, platformsOf(catalog))?.join(', ');
  const message = `All datasets are of ${others}, and the connector is of kind ${kind}. Send them to a connector of kind ${others}.`;
  return others === undefined ? [] : [{ code: 'connector_mismatch', message }];
}

const platformsOf = ({ entries, exposures, datasets }: CatalogExport): Set<string> =>
  new Set(
    [
      ...entries.flatMap(({ value }) => [value.upstreamUrn, value.downstreamUrn]),
      ...exposures.flatMap(({ value }) => value.inputs),
      ...datasets.map(({ urn }) => urn),
    ].flatMap((urn) => parseDatasetUrn(urn)?.platform ?? []),
  );

export function deriveCatalog(
  scope: CatalogContext,
  { entries, exposures, unresolved, datasets }: CatalogExport,
): Declared {
  const pairs: Budget = { left: mostPairs };
  const nodeAt = nodesOf(scope, entries);
  const edges = edgesOf(nodeAt, entries);
  const shown = exposuresStated(scope, exposures, nodeAt);
  const stated = new Set(edges.flatMap((edge) => edge.entries.map(({ value }) => pairOf(value))));
  const owners = new Map(datasets.map((one) => [one.urn, one.owners.map(nameInUrn)]));
  const derivations = edges.map((edge) => ({
    ...derivationOf(scope, edge, stated, pairs),
    ...ownership(edge.entries.flatMap(({ value }) => owners.get(value.downstreamUrn) ?? [])),
  }));
  const ofEntries = unresolved.map(({ place, isWellFormed }) => ({
    reason: isWellFormed ? namesNoRelation : unresolvedEntry,
    asset: place,
  }));
  const ofEdges = derivations.flatMap(({ unresolved: reasons, output }) =>
    [...new Set(reasons.map(({ reason }) => reason))].map((reason) => ({ reason, asset: relationRefOf(output) })),
  );
  return {
    derivations: [...derivations, ...shown.flatMap((one) => one.derivations)],
    unresolved: countReasons([...ofEntries, ...ofEdges]),
    // A catalog describes edges: it does not say that it makes any of their ends.
    relations: [],
    reads: [
      ...new Set(unresolved.flatMap(({ read }) => (read === null ? [] : urnOf(nodeAt(read) ?? datahubNode(read))))),
    ],
    schemas: new Map([...schemasOf(datasets, nodeAt), ...shown.flatMap(({ schema }) => (schema ? [schema] : []))]),
  };
}

/** Of a dataset it has only the owners: it is no exposure (C-DATAHUB-5). */
const ownership = (owners: readonly string[]) => owners.length > 0 && { exposure: exposureFacts({ owners }) };

type Edge = { readonly input: Node; readonly output: Node; readonly entries: DocumentItem<CatalogEntry>[] };

type Entries = readonly DocumentItem<CatalogEntry>[];

/** The nodes of URNs. A dataset of dbt is the relation that an entry joins to it under the same name (C-DATAHUB-2). */
function nodesOf({ connectors, connector }: CatalogContext, entries: Entries) {
  const siblings = new Map(entries.flatMap(({ value }) => siblingsIn(value)));
  return (urn: string) => resolveDatahubUrn(connectors, connector, siblings.get(urn) ?? urn);
}

/** The dataset of dbt of an entry, and the relation that it makes or reads, which DataHub shows as one. */
function siblingsIn({ upstreamUrn, downstreamUrn }: CatalogEntry): [string, string][] {
  const ends = [upstreamUrn, downstreamUrn];
  if (!ends.some((urn) => urn.startsWith(ofDbt))) return [];
  const [one, other] = ends.map(parseDatasetUrn);
  const isSame = one?.platform !== other?.platform && one?.name.toLowerCase() === other?.name.toLowerCase();
  const [dbt = '', made = ''] = one?.platform === 'dbt' ? ends : ends.toReversed();
  return isSame ? [[dbt, made]] : [];
}

const ofDbt = 'urn:li:dataset:(urn:li:dataPlatform:dbt,';

const datahubNode = (urn: string): Node => ({ kind: 'datahub', urn });

/** Entries of one pair of relations are one edge; a relation is an input of itself only by columns that it computes. */
function edgesOf(nodeAt: (urn: string) => Node | null, entries: Entries): Edge[] {
  const nodeOf = memoised(mostNodes, (urn: string): Node => nodeAt(urn) ?? datahubNode(urn));
  const edges = new Map<string, Edge>();
  for (const item of entries) {
    const [input, output] = [nodeOf(item.value.upstreamUrn), nodeOf(item.value.downstreamUrn)];
    if (urnOf(input) === urnOf(output) && !mapsWithin(item.value)) continue;
    const name = JSON.stringify([urnOf(input), urnOf(output)]);
    findOrAdd(edges, name, () => ({ input, output, entries: [] })).entries.push(item);
  }
  return [...edges.values()];
}

/** Of two entries with the same ends the same text. */
const pairOf = ({ upstreamUrn, downstreamUrn }: Pick<CatalogEntry, 'upstreamUrn' | 'downstreamUrn'>) =>
  `${upstreamUrn} ${downstreamUrn}`;

/** @param stated the pairs of datasets with an entry in the export */
function derivationOf(
  { importSource }: CatalogContext,
  { input, output, entries }: Edge,
  stated: ReadonlySet<string>,
  pairs: Budget,
): Derivation {
  const columns = new Map<string, ColumnMapping>();
  const unresolved = new Map<string, Unresolved>();
  for (const { value } of entries) {
    const isStated = (upstreamUrn: string) => stated.has(pairOf({ ...value, upstreamUrn }));
    for (const fine of value.fineGrained) {
      if (!takePairs(pairs, fine)) {
        unresolved.set(tooManyPairs, { outputColumn: null, reason: tooManyPairs });
        continue;
      }
      for (const one of mappingsOf(input, value, fine)) columns.set(JSON.stringify({ ...one, input: null }), one);
      for (const one of unresolvedOf(value, fine, isStated)) unresolved.set(JSON.stringify(one), one);
    }
  }
  if (columns.size === 0 && unresolved.size === 0)
    unresolved.set('', { outputColumn: null, reason: 'columns_not_reported' });
  const [first] = entries;
  return {
    output,
    inputs: [input],
    columns: [...columns.values()],
    unresolved: [...unresolved.values()],
    producer: { namespace: importSource, name: first?.value.downstreamUrn ?? '' },
    statementKind: null,
    principal: null,
    location: first?.place ?? '',
  };
}

const mostNodes = 100_000;

/** Of all entries: fields that each feed each other field are listed once, and are as many as their product. */
const mostPairs = 1_000_000;
const tooManyPairs = 'too_many_column_pairs';

function takePairs(pairs: Budget, { upstreams, downstreams }: FineGrained): boolean {
  const count = (upstreams?.length ?? 0) * (downstreams?.length ?? 0);
  if (count > pairs.left) return false;
  pairs.left -= count;
  return true;
}

type FineGrained = CatalogEntry['fineGrained'][number];

/** A catalog may repeat all mappings of an output on each of its entries: those of other inputs belong to other entries. */
function mappingsOf(input: Node, { upstreamUrn, downstreamUrn }: CatalogEntry, fine: FineGrained) {
  const transformation = transformationOf(fine.transformOperation ?? '');
  const inputs = columnsOf(fine.upstreams, upstreamUrn);
  return columnsOf(fine.downstreams, downstreamUrn).flatMap((outputColumn) =>
    inputs.flatMap((inputColumn): ColumnMapping[] =>
      upstreamUrn === downstreamUrn && inputColumn === outputColumn
        ? []
        : [{ input, inputColumn, outputColumn, type: 'DIRECT', ...transformation }],
    ),
  );
}

/** Whether an entry of a dataset and itself says that a column is computed from another, as BI tools and metric views do. */
const mapsWithin = ({ upstreamUrn, downstreamUrn, fineGrained }: CatalogEntry): boolean =>
  upstreamUrn === downstreamUrn &&
  fineGrained.some(({ upstreams, downstreams }) => {
    const [inputs, outputs] = [columnsOf(upstreams, upstreamUrn), columnsOf(downstreams, downstreamUrn)];
    return inputs.length > 0 && outputs.length > 0 && new Set([...inputs, ...outputs]).size > 1;
  });

/**
 * Why outputs of an entry are not wholly known: an input cannot be read, is named without a column, or belongs to a
 * dataset that no entry states to feed the output, as a column lineage that names no input of its job (C-IMPACT-7).
 */
function unresolvedOf(
  { upstreamUrn, downstreamUrn }: CatalogEntry,
  { upstreams, downstreams }: FineGrained,
  isStated: (upstreamUrn: string) => boolean,
): Unresolved[] {
  const reasons = [
    ...(upstreams ?? []).map((urn) => missingOf(urn, upstreamUrn, isStated)),
    ...(downstreams ?? []).map((urn) => (parseFieldUrn(urn) ? null : malformed)),
  ];
  const outputs: (string | null)[] = columnsOf(downstreams, downstreamUrn);
  return [...new Set(reasons)].flatMap((reason) =>
    reason === null ? [] : (outputs.length > 0 ? outputs : [null]).map((outputColumn) => ({ outputColumn, reason })),
  );
}

const malformed = 'field_urn_malformed';

function missingOf(urn: string, upstreamUrn: string, isStated: (upstreamUrn: string) => boolean): string | null {
  const field = parseFieldUrn(urn);
  const dataset = field?.parent ?? (parseDatasetUrn(urn) ? urn : null);
  if (dataset === null) return malformed;
  if (dataset !== upstreamUrn) return isStated(dataset) ? null : 'column_source_outside_inputs';
  return field ? null : 'source_column_not_given';
}

function columnsOf(urns: readonly string[] | null | undefined, dataset: string): string[] {
  const fields = (urns ?? []).map(parseFieldUrn);
  return fields.flatMap((field) => (field?.parent === dataset ? [field.field] : []));
}

type Transformation = Pick<ColumnMapping, 'subtype' | 'masking' | 'expression'>;

/** What is read of an operation, and what is kept of its expression. */
const longestRead = 5_000;
const longestExpression = 500;

const masksByName = /^(?:md5|hash|hmac|mask|redact|encrypt|sha\d*$|sha\d_)/i;

/** Free text: its SQL parser writes `COPY: …` and `SQL: …`, Tableau's source `CalculatedFieldformula: …`. */
function transformationOf(operation: string): Transformation {
  if (operation === '') return { subtype: null, masking: false };
  const [, label = '', text = operation] = /^(\w+):(.*)$/s.exec(beginningOf(operation, longestRead)) ?? [];
  const functions = [...text.matchAll(/\b([a-z_]\w*)\s*\(/gi)].map(([, name = '']) => name.toLowerCase());
  const words = [...(label ? [label] : wordOf(text)), ...functions];
  const masking = words.some((word) => masksByName.test(word) || isMasking(word.toLowerCase()));
  if (/^(?:identity|copy)\b/i.test(operation)) return { subtype: 'IDENTITY', masking };
  const aggregates = /^aggregat/i.test(operation) || (functions.some(isAggregate) && !/\bover\s*\(/i.test(text));
  const expression = wordOf(text).length > 0 ? '' : beginningOf(withoutAlias(text.trim()), longestExpression);
  return { subtype: aggregates ? 'AGGREGATION' : 'TRANSFORMATION', masking, ...(expression && { expression }) };
}

/** The text where it is one word, the name of an operation. */
const wordOf = (text: string): string[] => (/^\s*\w+\s*$/.test(text) ? [text.trim()] : []);

/** The expression without the name of its output column, `… AS "total"`. */
function withoutAlias(text: string): string {
  const at = text.lastIndexOf(' AS ');
  return at > 0 && /^(?:"[^"]*"|`[^`]*`|\[[^\]]*\]|\w+)$/.test(text.slice(at + 4)) ? text.slice(0, at) : text;
}
