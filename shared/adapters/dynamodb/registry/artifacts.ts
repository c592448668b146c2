import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import {
  type ArtifactChange,
  type ArtifactStore,
  PathHead,
  StoredArtifact,
} from '../../../domain/agents/artifacts/artifact.ts';
import { placeOf } from '../../../domain/agents/artifacts/list-artifacts.ts';
import { sha256 } from '../../../domain/base/digest.ts';
import { parseExactJson } from '../../../domain/base/json/read-json.ts';
import { artifactIndex, artifactKey, artifactListKey, artifactPathKey } from '../keys/resource-keys.ts';
import { queryPage } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { transact } from '../requests/transact.ts';
import { auditPut, findRecord, recordPut } from './registry-collection.ts';

export function artifactStore(table: Table): ArtifactStore {
  return {
    find: (workspace, id) => findRecord(table, StoredItem, artifactKey(workspace, id)),
    head: (workspace, path) => findRecord(table, PathHead, artifactPathKey(workspace, digestOf(path))),
    commit: (workspace, change) => transact(table, writesOf(table, workspace, change)),
    list: (workspace, page) => list(table, workspace, page),
  };
}

const digestOf = (path: string): string => sha256(path).toString('base64url');

function writesOf(table: Table, workspace: WorkspaceId, change: ArtifactChange): TransactWriteItem[] {
  const { artifact, before, superseded, head, audit } = change;
  const writes = [recordPut(table, itemOf(workspace, artifact), before), auditPut(table, audit)];
  if (superseded) {
    const record = { ...superseded.record, status: 'superseded' as const, updated_at: artifact.updated_at };
    writes.push(recordPut(table, itemOf(workspace, record), superseded));
  }
  if (head) {
    const key = artifactPathKey(workspace, digestOf(head.next.path));
    writes.push(recordPut(table, { ...key, ...head.next }, head.before));
  }
  return writes;
}

const Parts = v.pick(StoredArtifact, ['metadata', 'execution_log', 'preview_columns', 'preview_rows']);

/** What agents write freely is kept as JSON text: maps of DynamoDB are shallower than JSON's, and its numbers narrower. */
const StoredItem = v.pipe(
  v.looseObject({ parts: v.pipe(v.string(), v.transform(parseExactJson), Parts) }),
  v.transform(({ parts, ...artifact }) => ({ ...artifact, ...parts })),
  StoredArtifact,
);

function itemOf(
  workspace: WorkspaceId,
  { metadata, execution_log, preview_columns, preview_rows, ...artifact }: StoredArtifact,
) {
  const parts = JSON.stringify({ metadata, execution_log, preview_columns, preview_rows });
  const key = { ...artifactKey(workspace, artifact.id), ...artifactListKey(workspace, placeOf(artifact)) };
  return { ...key, ...artifact, parts };
}

async function list(
  table: Table,
  workspace: WorkspaceId,
  { limit, after, kind, status, path, toolRunId }: Parameters<ArtifactStore['list']>[1],
) {
  const filters = { kind, status, path, tool_run_id: toolRunId };
  const page = { list: artifactIndex(workspace), before: after, filters, limit };
  const { items: found, reached } = await queryPage(table, page);
  const items = found.map((item) => v.parse(StoredItem, unmarshall(item)));
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const next = items.length > limit && last ? placeOf(last) : reached;
  return { items: shown, next };
}
