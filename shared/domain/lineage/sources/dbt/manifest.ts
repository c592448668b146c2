import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import {
  type DocumentItem,
  type ItemSchemas,
  type ParsedDocument,
  readItems,
  rules,
  unstorableErrors,
} from '../declared/declared.ts';
import type { TypedColumn } from '../models/model-project.ts';
import {
  Between,
  type DbtModel,
  type DbtSource,
  Exposure,
  ExternalRelation,
  Metadata,
  Node,
} from './manifest-items.ts';

/** The parts of a manifest that lineage consists of; dbt 1.3 to 1.12. */
export type DbtManifest = {
  readonly metadata: v.InferOutput<typeof Metadata>;
  readonly models: readonly DocumentItem<DbtModel>[];
  readonly sources: readonly DocumentItem<DbtSource>[];
  readonly exposures: readonly DocumentItem<v.InferOutput<typeof Exposure>>[];
  readonly between: ReadonlyMap<string, readonly string[]>;
};

const root = '/manifest';
const maps = ['nodes', 'sources', 'exposures'] as const;
const betweenMaps = ['metrics', 'semantic_models', 'saved_queries', 'functions'] as const;

/** What breaks the shape of the document itself; the request is then refused whole. */
export const dbtFieldErrors = (manifest: Readonly<Record<string, unknown>>): FieldError[] => [
  ...maps
    .filter((key) => manifest[key] !== undefined && manifest[key] !== null && !isJsonObject(manifest[key]))
    .map((key) => ({ path: root + jsonPointer(key), message: rules.object })),
  ...unstorableErrors({ metadata: metadataOf(manifest) }, root),
];

/** Ignores what differs between dbt versions, and checks what retraction needs. Run `dbtFieldErrors` before. */
export function readDbtManifest(manifest: Readonly<Record<string, unknown>>): ParsedDocument<DbtManifest> {
  const items = itemsOf(manifest);
  const nodes = readItems(Node, 'invalid_node', items.nodes);
  const sources = readItems(ExternalRelation, 'invalid_source', items.sources);
  const exposures = readItems(Exposure, 'invalid_exposure', items.exposures);
  const invalidItems = [...nodes.invalid, ...sources.invalid, ...exposures.invalid];
  const models = nodes.items.filter(isModel);
  const missing = ['nodes', 'sources']
    .filter((map) => !isJsonObject(manifest[map]))
    .map((map) => ({ path: root + jsonPointer(map), message: rules.required }));
  return {
    document: {
      metadata: metadataOf(manifest),
      models,
      sources: sources.items,
      exposures: exposures.items,
      between: betweenOf(manifest),
    },
    itemCount: items.nodes.length + items.sources.length + items.exposures.length,
    invalidItems,
    shapeErrors: [
      ...missing,
      ...invalidItems.flatMap(({ errors }) => errors),
      ...danglingDependencies(manifest, models),
    ],
  };
}

const missingDependency = 'must name a node or a source that the manifest has';

/** Dependencies on what the document lacks: what a part of a manifest leaves out would be retracted. */
function danglingDependencies(
  manifest: Readonly<Record<string, unknown>>,
  models: readonly DocumentItem<DbtModel>[],
): FieldError[] {
  const known = new Set([...maps, ...betweenMaps].flatMap((key) => Object.keys(recordAt(manifest, key))));
  return models.flatMap(({ place, value }) =>
    (value.depends_on?.nodes ?? []).flatMap((id, i) =>
      known.has(id) ? [] : [{ path: place + jsonPointer('depends_on', 'nodes', i), message: missingDependency }],
    ),
  );
}

function itemsOf(manifest: Readonly<Record<string, unknown>>): Record<(typeof maps)[number], DocumentItem<unknown>[]> {
  let index = 0;
  const of = (map: string): DocumentItem<unknown>[] =>
    Object.entries(recordAt(manifest, map)).map(([key, value]) => ({
      key,
      value,
      index: index++,
      place: root + jsonPointer(map, key),
    }));
  return { nodes: of('nodes'), sources: of('sources'), exposures: of('exposures') };
}

function recordAt(manifest: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const found = manifest[key];
  return isJsonObject(found) ? found : {};
}

const isModel = (item: DocumentItem<v.InferOutput<typeof Node>>): item is DocumentItem<DbtModel> =>
  ['model', 'snapshot', 'seed'].includes(item.value.resource_type);

function metadataOf(manifest: Readonly<Record<string, unknown>>): DbtManifest['metadata'] {
  const read = v.safeParse(Metadata, recordAt(manifest, 'metadata'));
  return read.success ? read.output : {};
}

function betweenOf(manifest: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const found = betweenMaps.flatMap((key) => Object.entries(recordAt(manifest, key)));
  return new Map(
    found.flatMap(([id, value]) => {
      const read = v.safeParse(Between, value);
      return read.success ? [[id, read.output.depends_on.nodes ?? []] as const] : [];
    }),
  );
}

/** dbt's `catalog.json` by the unique ids of the manifest: the columns that the warehouse had, in their order. */
export type DbtCatalog = ReadonlyMap<string, readonly TypedColumn[]>;

const Column = v.object({
  name: v.string(),
  type: v.fallback(v.nullish(v.string()), null),
  index: v.fallback(v.nullish(v.number()), null),
});
const Entry = v.object({ columns: v.record(v.string(), Column) });

/** What an item of a member of a catalog is read by: the others are not read at all. */
export const catalogItems: ItemSchemas = { nodes: Entry, sources: Entry };

/** Reads a catalog of any version; an entry that cannot be read is as if dbt had found no relation. */
export function readDbtCatalog(catalog: Readonly<Record<string, unknown>> | undefined): DbtCatalog {
  const entries = [catalog?.['nodes'], catalog?.['sources']].flatMap((map) =>
    isJsonObject(map) ? Object.entries(map) : [],
  );
  return new Map(
    entries.flatMap(([id, entry]) => {
      const read = v.safeParse(Entry, entry);
      return read.success ? [[id, columnsOf(read.output)] as const] : [];
    }),
  );
}

function columnsOf({ columns }: v.InferOutput<typeof Entry>): TypedColumn[] {
  const ordered = Object.values(columns).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return ordered.map(({ name, type }) => ({ name, type: type ?? null }));
}
