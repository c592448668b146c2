import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { isWellFormedUrn, parseDatasetUrn } from '../../names/datahub-urn.ts';
import {
  type DocumentItem,
  type ItemSchemas,
  listed,
  type ParsedDocument,
  readItems,
  rules,
  string,
  strings,
} from '../declared/declared.ts';
import { Exposure } from './exposures.ts';
import { DescribedDataset, describedDatasets } from './schema-metadata.ts';

const FineGrained = v.object(
  { upstreams: v.nullish(strings), downstreams: v.nullish(strings), transformOperation: v.nullish(string) },
  rules.object,
);
const Entry = v.object(
  {
    upstreamUrn: v.optional(v.unknown()),
    downstreamUrn: v.optional(v.unknown()),
    fineGrainedLineages: v.nullish(v.array(FineGrained, rules.array)),
  },
  rules.object,
);
/** Read only to recognize the output of DataHub's file sink. */
const EntryOrChange = v.object({
  ...Entry.entries,
  aspectName: v.optional(v.unknown()),
  proposedSnapshot: v.optional(v.object({})),
});

type FineGrained = v.InferOutput<typeof FineGrained>;

export type CatalogEntry = {
  readonly upstreamUrn: string;
  readonly downstreamUrn: string;
  readonly fineGrained: readonly FineGrained[];
};

export type CatalogExport = {
  readonly entries: readonly DocumentItem<CatalogEntry>[];
  readonly exposures: readonly DocumentItem<Exposure>[];
  /** The places of entries that name no relation, and whether their URNs are well-formed: dashboards and jobs are. */
  readonly unresolved: readonly {
    readonly place: string;
    readonly isWellFormed: boolean;
    /** The dataset that something else reads; null if the entry is of another kind, or the export describes the reader. */
    readonly read: string | null;
  }[];
  readonly datasets: ReturnType<typeof describedDatasets>;
};

/** What an entry is read by, in the lists of an export and in one that is a list. */
export const datahubItems: ItemSchemas = {
  lineage: Entry,
  edges: Entry,
  exposures: Exposure,
  datasets: DescribedDataset,
  [listed]: EntryOrChange,
};

const root = '/export';
const lists = ['lineage', 'edges'] as const;
const exposures = `${root}/exposures/`;
const ends = ['upstreamUrn', 'downstreamUrn'] as const;

/** What breaks the shape of the document itself; the request is then refused whole. */
export const datahubFieldErrors = (document: Readonly<Record<string, unknown>> | readonly unknown[]): FieldError[] =>
  isJsonObject(document)
    ? [...lists, 'exposures']
        .filter((list) => document[list] !== undefined && !Array.isArray(document[list]))
        .map((list) => ({ path: root + jsonPointer(list), message: rules.array }))
    : [];

/** An entry between other things than datasets is no error; a malformed URN in a complete export is (C-DATAHUB-4). */
export function readDatahubExport(
  document: Readonly<Record<string, unknown>> | readonly unknown[],
): ParsedDocument<CatalogExport> {
  const all = itemsOf(document);
  const [provided, shown] = [false, true].map((is) => all.filter(({ place }) => place.startsWith(exposures) === is));
  const { items, invalid } = readItems(Entry, 'invalid_entry', provided ?? []);
  const read = readItems(Exposure, 'invalid_exposure', shown ?? []);
  const entries = items.flatMap(({ value, ...item }) => {
    const { upstreamUrn, downstreamUrn, fineGrainedLineages } = value;
    return isDataset(upstreamUrn) && isDataset(downstreamUrn)
      ? [{ ...item, value: { upstreamUrn, downstreamUrn, fineGrained: fineGrainedLineages ?? [] } }]
      : [];
  });
  const described = new Set<unknown>(read.items.map(({ value }) => value.urn));
  const hasEntries = !isJsonObject(document) || lists.some((list) => Array.isArray(document[list]));
  return {
    document: {
      entries,
      exposures: read.items,
      unresolved: items
        .filter(({ value: { upstreamUrn, downstreamUrn } }) => !(isDataset(upstreamUrn) && isDataset(downstreamUrn)))
        .map((item) => ({
          place: item.place,
          isWellFormed: malformedEnds(item).length === 0,
          read:
            isDataset(item.value.upstreamUrn) && !described.has(item.value.downstreamUrn)
              ? item.value.upstreamUrn
              : null,
        })),
      datasets: describedDatasets(isJsonObject(document) ? document['datasets'] : []),
    },
    itemCount: all.length,
    invalidItems: [...invalid, ...read.invalid],
    shapeErrors: [
      ...(hasEntries ? [] : [{ path: root, message: 'must be an array, or have lineage or edges' }]),
      ...[...invalid, ...read.invalid].flatMap(({ errors }) => errors),
      ...items.flatMap(malformedEnds),
    ],
  };
}

function itemsOf(document: Readonly<Record<string, unknown>> | readonly unknown[]): DocumentItem<unknown>[] {
  const places = isJsonObject(document)
    ? [...lists, 'exposures'].flatMap((list) => valuesAt(document[list], root + jsonPointer(list)))
    : valuesAt(document, root);
  return places.map(({ place, value }, index) => ({ key: String(index), index, place, value }));
}

const valuesAt = (list: unknown, place: string): { readonly place: string; readonly value: unknown }[] =>
  Array.isArray(list) ? list.map((value: unknown, i) => ({ place: place + jsonPointer(i), value })) : [];

const isDataset = (urn: unknown): urn is string => typeof urn === 'string' && parseDatasetUrn(urn) !== null;

function malformedEnds({ place, value }: DocumentItem<v.InferOutput<typeof Entry>>): FieldError[] {
  return ends.flatMap((end) => {
    const urn = value[end];
    if (urn === undefined) return [{ path: place + jsonPointer(end), message: rules.required }];
    return isWellFormed(urn) ? [] : [{ path: place + jsonPointer(end), message: 'must be a well-formed DataHub URN' }];
  });
}

const isWellFormed = (urn: unknown): boolean => typeof urn === 'string' && isWellFormedUrn(urn);
