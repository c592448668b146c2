import { findOrAdd } from '../../../base/collections.ts';
import { isJsonObject, noJson, readJsonText } from '../../../base/json/read-json.ts';
import { listAt, patchedAspect } from './aspect-patch.ts';

type Json = Readonly<Record<string, unknown>>;

/** An export of lineage made of the aspects of a file, and how many of the file's aspects were not read. */
type AspectsRead = { readonly export: Json; readonly unread: ReadonlyMap<string, number> };

/** Whether an aspect is about lineage, whether it is read or not. */
export const isAboutLineage = (name: string): boolean =>
  /^(?:upstreamLineage|siblings|inputFields|(?:chart|dashboard)Info|dataJobInputOutput)\b/.test(name) ||
  /^(?:dataProcessInstance(?:Input|Output)|m[lL](?:Feature|PrimaryKey|Model)Properties)\b/.test(name) ||
  ['metricUpstreams', 'upstreamMetrics', 'mlModelTrainingData', 'mLModelTrainingData'].includes(name);

/** The aspects that lineage is read from, by the kind of their entity. */
const aspectsOfKind: Readonly<Record<string, readonly string[]>> = {
  dataset: ['upstreamLineage', 'schemaMetadata', 'ownership', 'status'],
  dataJob: ['dataJobInputOutput', 'status'],
  chart: ['chartInfo', 'inputFields', 'ownership', 'status'],
  dashboard: ['dashboardInfo', 'inputFields', 'ownership', 'status'],
};

/** `patch`: what changes the aspect that the file had before; otherwise `value` takes its place. */
type Aspect = { readonly urn: string; readonly name: string; readonly value?: Json | null; readonly patch?: unknown };
type Entity = { readonly urn: string; readonly aspects: Readonly<Record<string, Json>> };

/**
 * Reads what DataHub's file sink and its OpenAPI write: changes of aspects (MCP), snapshots (MCE), UpsertEntities requests
 * and entities. A later change replaces an earlier one, a patch changes it. Returns null if no entry is one of these.
 */
export function readAspectsFile(entries: readonly unknown[]): AspectsRead | null {
  const aspects = entries.flatMap((entry) => (isJsonObject(entry) ? aspectsOf(entry) : []));
  if (aspects.length === 0) return null;
  const entities = new Map<string, Record<string, Json>>();
  const unread = new Map<string, number>();
  for (const { urn, name, patch, value = patchedAspect(entities.get(urn)?.[name] ?? {}, patch) } of aspects) {
    if (value !== null && aspectsOfKind[kindOf(urn)]?.includes(name))
      findOrAdd(entities, urn, () => ({}))[name] = value;
    else unread.set(name, (unread.get(name) ?? 0) + 1);
  }
  const present = [...entities]
    .filter(([, { status }]) => status?.['removed'] !== true)
    .map(([urn, all]) => ({ urn, aspects: all }));
  return { export: exportOf(present), unread };
}

const kindOf = (urn: string): string => /^urn:li:(\w+):/.exec(urn)?.[1] ?? '';

function aspectsOf(entry: Json): readonly Aspect[] {
  const { entityUrn, aspectName, proposedSnapshot, aspect, urn } = entry;
  if (isJsonObject(proposedSnapshot)) return Object.values(proposedSnapshot).flatMap(aspectsOfSnapshot);
  if (typeof entityUrn === 'string' && typeof aspectName === 'string') return [changeOf(entry, entityUrn, aspectName)];
  if (typeof entityUrn === 'string' && isJsonObject(aspect) && typeof aspect['__type'] === 'string')
    return [{ urn: entityUrn, name: aspectNameOf(aspect['__type']), value: aspect }];
  if (typeof urn !== 'string') return [];
  return Object.entries(entry).flatMap(([name, one]) =>
    isJsonObject(one) && isJsonObject(one['value']) ? [{ urn, name, value: one['value'] }] : [],
  );
}

/** Each aspect of a snapshot stands under the name of its class, such as `com.linkedin.pegasus2avro.dataset.UpstreamLineage`. */
function aspectsOfSnapshot(snapshot: unknown): readonly Aspect[] {
  if (!isJsonObject(snapshot) || typeof snapshot['urn'] !== 'string') return [];
  const { urn } = snapshot;
  return listAt(snapshot, 'aspects').flatMap((one) =>
    isJsonObject(one)
      ? Object.entries(one).map(([name, value]) => ({
          urn: String(urn),
          name: aspectNameOf(name),
          value: isJsonObject(value) ? value : null,
        }))
      : [],
  );
}

function aspectNameOf(className: string): string {
  const name = className.split('.').at(-1) ?? '';
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

function changeOf({ changeType = 'UPSERT', aspect }: Json, urn: string, name: string): Aspect {
  if (changeType === 'PATCH') return { urn, name, patch: contentOf(aspect) };
  if (changeType === 'DELETE') return { urn, name, value: {} };
  const sets = ['UPSERT', 'CREATE', 'CREATE_ENTITY', 'UPDATE', 'RESTATE'].includes(String(changeType));
  const content = contentOf(aspect);
  if (!sets) return { urn, name: `${name} (${String(changeType)})`, value: null };
  return { urn, name, value: isJsonObject(content) ? content : null };
}

/** Content is JSON, or a text that holds JSON. */
function contentOf(aspect: unknown): unknown {
  if (!isJsonObject(aspect)) return null;
  const { json, value } = aspect;
  const read = typeof value === 'string' ? readJsonText(value) : noJson;
  return json ?? (read.ok ? read.value : value);
}

const exportOf = (entities: readonly Entity[]): Json => ({
  lineage: entities.flatMap(entriesOf),
  datasets: entities.flatMap(({ urn, aspects: { schemaMetadata, ownership } }) =>
    /^urn:li:dataset:/.test(urn) && (schemaMetadata || ownership)
      ? [
          {
            urn,
            ...(ownership && { owners: ownersIn(ownership) }),
            ...(schemaMetadata && {
              schemaMetadata: { fields: listAt(schemaMetadata, 'fields').flatMap(fieldWithType) },
            }),
          },
        ]
      : [],
  ),
  exposures: entities.flatMap(exposureOf),
});

const ownersIn = (ownership: Json): string[] =>
  listAt(ownership, 'owners')
    .flatMap((one) => (isJsonObject(one) ? [one['owner']] : []))
    .filter(isText);

const fieldWithType = (field: unknown) =>
  isJsonObject(field) ? [{ fieldPath: field['fieldPath'], nativeDataType: field['nativeDataType'] }] : [];

function entriesOf({ urn, aspects: { upstreamLineage, dataJobInputOutput } }: Entity): readonly Json[] {
  if (upstreamLineage) {
    const upstreams = listAt(upstreamLineage, 'upstreams').flatMap((one) =>
      isJsonObject(one) ? [one['dataset']] : [],
    );
    return entriesBetween(upstreams.filter(isText), [urn], upstreamLineage);
  }
  if (!dataJobInputOutput) return [];
  const inputs = urnsAt(dataJobInputOutput, ['inputDatasetEdges', 'inputDatasets']);
  return entriesBetween(
    inputs,
    urnsAt(dataJobInputOutput, ['outputDatasetEdges', 'outputDatasets']),
    dataJobInputOutput,
  );
}

/** An entry for each listed pair, and for each other pair whose columns are mapped. */
function entriesBetween(upstreams: readonly string[], downstreams: readonly string[], aspect: Json): readonly Json[] {
  const mappings = listAt(aspect, 'fineGrainedLineages').filter(isJsonObject);
  const pairs = new Map<string, readonly [string, string]>();
  const add = (from: readonly string[], to: readonly string[]) => {
    for (const upstream of from)
      for (const downstream of to) pairs.set(`${upstream} ${downstream}`, [upstream, downstream]);
  };
  add(upstreams, downstreams);
  const datasetsAt = (mapping: Json, side: string) =>
    listAt(mapping, side)
      .filter(isText)
      .flatMap((one) => datasetOf(one) ?? []);
  for (const mapping of mappings) add(datasetsAt(mapping, 'upstreams'), datasetsAt(mapping, 'downstreams'));
  return [...pairs.values()].map(([upstreamUrn, downstreamUrn]) => ({
    upstreamUrn,
    downstreamUrn,
    fineGrainedLineages: mappings.flatMap((mapping) => mappingBetween(upstreamUrn, downstreamUrn, mapping)),
  }));
}

/** Keeps the fields of the entry's two datasets, and texts that name no field: their columns are not wholly known. */
function mappingBetween(upstreamUrn: string, downstreamUrn: string, mapping: Json): readonly Json[] {
  const fieldsOf = (side: string, dataset: string) =>
    listAt(mapping, side).filter((one) => isText(one) && [dataset, null].includes(datasetOf(one)));
  const [upstreams, downstreams] = [fieldsOf('upstreams', upstreamUrn), fieldsOf('downstreams', downstreamUrn)];
  const transformOperation = textIn(mapping['transformOperation']);
  return upstreams.length === 0 || downstreams.length === 0
    ? []
    : [{ upstreams, downstreams, ...(transformOperation !== null && { transformOperation }) }];
}

const datasetOf = (field: string): string | null => /^urn:li:schemaField:\((.*?\)),/.exec(field)?.[1] ?? null;

function exposureOf({ urn, aspects: { chartInfo, dashboardInfo, inputFields, ownership = {} } }: Entity) {
  const info = chartInfo ?? dashboardInfo ?? {};
  if (!chartInfo && !dashboardInfo && !inputFields) return [];
  const fields = listAt(inputFields ?? {}, 'fields').filter(isJsonObject);
  return [
    {
      urn,
      title: textIn(info['title']),
      owners: ownersIn(ownership),
      inputs: urnsAt(info, ['inputEdges', 'inputs', 'chartEdges', 'charts', 'datasetEdges', 'datasets', 'dashboards']),
      fields: fields.map(({ schemaField, schemaFieldUrn }) => ({
        fieldPath: isJsonObject(schemaField) ? textIn(schemaField['fieldPath']) : null,
        schemaFieldUrn: textIn(schemaFieldUrn),
      })),
    },
  ];
}

/** Newer versions of DataHub list edges, older ones plain URNs or unions of one; some list both. */
function urnsAt(aspect: Json, members: readonly string[]): readonly string[] {
  const listed = members.flatMap((member) => listAt(aspect, member));
  const urns = listed.map((one) => (isJsonObject(one) ? (one['destinationUrn'] ?? Object.values(one)[0]) : one));
  return [...new Set(urns.filter(isText))];
}

const isText = (value: unknown): value is string => typeof value === 'string';

const textIn = (value: unknown): string | null =>
  isText(value) ? value : isJsonObject(value) && isText(value['string']) ? value['string'] : null;
