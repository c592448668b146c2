import type { FieldError } from '../../../contract/problems.ts';
import { Problem } from '../../../contract/problems.ts';
import { isJsonObject } from '../../base/json/read-json.ts';

/** A file that users send instead of the one that a route takes. */
export type OtherFile = {
  /** Such as "a dbt catalog (catalog.json)". */
  readonly name: string;
  /** What to send. */
  readonly hint: string;
  readonly error: FieldError;
};

const dbtHint =
  'Send `target/manifest.json` as `manifest`, with `target/catalog.json` beside it as `catalog`. `tributary push dbt PROJECT_FOLDER` sends both.';
const datahubHint =
  'Send a file of DataHub’s file sink with `tributary push datahub FILE`, or what `tributary-datahub-export` reads from its API.';

/** By the artifact in `metadata.dbt_schema_version`, such as `https://schemas.getdbt.com/dbt/catalog/v1.json`. */
const dbtFiles: Readonly<Record<string, string>> = {
  catalog: 'a dbt catalog (catalog.json)',
  'run-results': 'the results of a dbt run (run_results.json)',
  sources: 'the freshness of dbt sources (sources.json)',
};

/** Recognizes a file of dbt that is no manifest. Returns null for any other document. */
export function otherDbtFile(document: Readonly<Record<string, unknown>>): OtherFile | null {
  const { metadata, semantic_models: semantics } = document;
  const error = { path: '/manifest', message: 'must be a dbt manifest' };
  const version = isJsonObject(metadata) ? String(metadata['dbt_schema_version']) : '';
  const [, artifact = ''] = version.split('/dbt/');
  const name = dbtFiles[artifact.split('/')[0] ?? ''];
  if (name !== undefined) return { name, hint: dbtHint, error };
  if (dbtMembers.some((member) => isJsonObject(document[member]))) return null;
  return { name: Array.isArray(semantics) ? semanticManifest : without(dbtMembers), hint: dbtHint, error };
}

const semanticManifest = 'a dbt semantic manifest (semantic_manifest.json)';
const dbtMembers = ['nodes', 'sources', 'exposures'];
const datahubMembers = ['lineage', 'edges', 'datasets', 'exposures'];

const without = (members: readonly string[]): string => `a document without ${members.join(', ')}`;

/** The same of DataHub. Its file sink writes changes of aspects (MCP) or snapshots (MCE), not entries of lineage. */
export function otherDatahubFile(document: Readonly<Record<string, unknown>> | readonly unknown[]): OtherFile | null {
  const error = { path: '/export', message: 'must be an export of lineage' };
  if (isJsonObject(document)) return otherDatahubObject(document, error);
  const isChange = (entry: unknown) => isJsonObject(entry) && ('aspectName' in entry || 'proposedSnapshot' in entry);
  return Array.isArray(document) && document.some(isChange)
    ? { name: 'the output of a DataHub file sink', hint: datahubHint, error }
    : null;
}

function otherDatahubObject(document: Readonly<Record<string, unknown>>, error: FieldError): OtherFile | null {
  if (isJsonObject(document['nodes']) && isJsonObject(document['sources']))
    return { name: 'a dbt manifest (manifest.json)', hint: 'Push it with `tributary push dbt PROJECT_FOLDER`.', error };
  if (datahubMembers.some((member) => Array.isArray(document[member]))) return null;
  const name = isJsonObject(document['data']) ? 'the response of a GraphQL query' : without(datahubMembers);
  return { name, hint: datahubHint, error };
}

/** Why a document cannot be accepted: it is another file, or as a complete snapshot it breaks rules. Returns null if it can be. */
export function snapshotProblem(other: OtherFile | null, errors: readonly FieldError[], hint?: string): Problem | null {
  if (other !== null) {
    const message = `The document looks like ${other.name}, which this endpoint does not take.`;
    return new Problem('lineage_snapshot_invalid', { message, hint: other.hint, errors: [other.error] });
  }
  return errors.length > 0 ? new Problem('lineage_snapshot_invalid', { errors, ...(hint && { hint }) }) : null;
}
