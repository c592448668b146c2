import type { ConnectorKind } from '../../../contract/vocabulary.ts';

/** Whether partitions, shards, branches and the like are named as the relation that they are of (C-IDENTITY-19). */
export const partModes = ['whole', 'apart'] as const;
type PartMode = (typeof partModes)[number];

/** A directory of a Hive-style partition. */
const partition = /^[^=/]+=[^/]*$/;
/** What Spark, Hive, Delta Lake and Hudi write beside the data of a table while they work, and of their versions. */
const technical =
  /^(?:_delta_log|_temporary|_spark_metadata|\.hoodie|\.(?:hive|spark)-staging.*|_committed_.*|_started_.*)$/;
/** A file of Iceberg's metadata. */
const icebergFile = /(?:\.metadata\.json|^snap-.*\.avro|-m\d+\.avro|^version-hint\.text)$/;
/** A version or branch behind the path of a table. */
const version = /@(?:v\d+|\d{14,17}|[a-z][\w.-]*)$/i;

/** The path of the relation that a path is a part of; the path itself if it is no part. */
export function wholePath(path: string): string {
  const segments = path.split('/');
  const isNamed = (count: number) => segments.slice(0, count).some((one) => one !== '' && !partition.test(one));
  let end = segments.length;
  const work = segments.findIndex((one) => technical.test(one));
  if (work > 0) end = work;
  else if (segments.at(-2) === 'metadata' && icebergFile.test(segments.at(-1) ?? '')) end -= 2;
  else if (partition.test(segments.at(-2) ?? '') && isFile(segments.at(-1) ?? '')) end -= 1;
  while (end > 1 && partition.test(segments[end - 1] ?? '')) end--;
  const whole = isNamed(end) ? segments.slice(0, end).join('/') : path;
  const last = whole.slice(whole.lastIndexOf('/') + 1);
  return version.test(last) && last.indexOf('@') > 0 ? whole.replace(version, '') : whole;
}

/** Spark names files `part-…`, others end in a type; `*` is all of them. */
const isFile = (segment: string): boolean => /^(?:part-.*|\*.*|.*\.[a-z][a-z0-9]{1,7})$/i.test(segment);

const shardDate = '(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
type Rule = readonly [pattern: RegExp, whole: string];

/** BigQuery's decorators of partitions and snapshots, and its tables of a day. A wildcard over some days is one over all. */
const bigquery: readonly Rule[] = [
  [/(?:\$(?:\d+|__[A-Z]+__)|@-?\d+(?:--?\d*)?)$/, ''],
  [new RegExp(`_(?:${shardDate}|(?:19|20)\\d{0,6}\\*)$`), '_*'],
];
/** Branches, tags and versions of Iceberg, Nessie and Delta Lake. */
const branches: Rule = [/@[\w.-]+$/, ''];
/** Trino's tables of Iceberg's metadata. */
const metadataTables: Rule = [
  /\$(?:partitions|snapshots|files|history|manifests|properties|refs|entries|metadata_log_entries|all_\w+)$/i,
  '',
];

const rulesOf: Readonly<Partial<Record<ConnectorKind, readonly Rule[]>>> = {
  bigquery,
  trino: [metadataTables, branches],
  athena: [metadataTables, branches],
  databricks: [branches],
  spark: [branches],
};

/** What Spark writes behind the name of an Iceberg table: a branch, tag or moment, or a table of its metadata. */
const icebergPart =
  /^(?:branch_|tag_|at_timestamp_\d|snapshot_id_\d|(?:snapshots|files|data_files|delete_files|history|manifests|partitions|refs|entries|position_deletes|metadata_log_entries|changes|all_files|all_data_files|all_delete_files|all_manifests|all_entries)$)/i;
const spellsIcebergParts: ReadonlySet<ConnectorKind> = new Set(['spark', 'athena']);
/** A table named `files` has three parts as any other, so a shorter name is the table's own. */
const icebergParts = 4;

/** The parts of the name of the relation that a name is a part of, as they are written; the same if it is no part. */
export function wholeName(
  { kind, parts }: { readonly kind: ConnectorKind; readonly parts?: PartMode | undefined },
  name: readonly string[],
): readonly string[] {
  const last = name.at(-1);
  if (parts !== 'whole' || last === undefined) return name;
  const isIceberg = spellsIcebergParts.has(kind) && name.length === icebergParts && icebergPart.test(last);
  if (isIceberg) return name.slice(0, -1);
  const table = (rulesOf[kind] ?? []).reduce(withoutPart, last);
  return table === last ? name : [...name.slice(0, -1), table];
}

/** A name that is nothing but such a suffix is the table's own. */
const withoutPart = (table: string, [pattern, whole]: Rule): string =>
  table.replace(pattern, (suffix, at: number) => (at > 0 ? whole : suffix));
