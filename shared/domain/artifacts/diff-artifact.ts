import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { AgentArtifact, ArtifactDiff } from '../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { compare } from '../sorted-by.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { SqlAnalysis, SqlParser } from '../sql/types.ts';
import { type GraphQueryPorts, openGraph } from '../traversal/open-graph.ts';
import { dialectsOf, isSql, plainSql, writtenName } from './artifact-sql.ts';
import { type ArtifactPorts, requireArtifact, showArtifact } from './keep-artifact.ts';
import { proposedChanges } from './proposed-changes.ts';

export type ArtifactDiffPorts = Pick<ArtifactPorts, 'artifacts' | 'contents' | 'clock'> & GraphQueryPorts;

type ArtifactQuestion = {
  readonly workspace: WorkspaceId;
  readonly id: string;
  /** The workspace's only one where it is not named. */
  readonly connectorId: string | null;
};

/**
 * What an artifact changes of its parent: its text, and where it is SQL, what that reads and makes, and what it would
 * change of the live graph. Throws `not_found`.
 */
export async function diffArtifact(
  ports: ArtifactDiffPorts,
  { workspace, id, connectorId }: ArtifactQuestion,
): Promise<ArtifactDiff> {
  const artifact = await showArtifact(ports, (await requireArtifact(ports.artifacts, workspace, id)).record);
  const known = artifact.parent_artifact_id && (await ports.artifacts.find(workspace, artifact.parent_artifact_id));
  const parent = known ? await showArtifact(ports, known.record) : null;
  const names = [
    parent ? `${artifact.path} (version ${parent.version})` : '/dev/null',
    `${artifact.path} (version ${artifact.version})`,
  ] as const;
  return {
    parent_artifact_id: artifact.parent_artifact_id,
    unified: createTwoFilesPatch(...names, parent?.content ?? '', artifact.content, '', '', {
      headerOptions: FILE_HEADERS_ONLY,
    }),
    lineage: isSql(artifact) ? await lineageOf(ports, artifact, parent) : null,
    ...(isSql(artifact) ? await changesOf(ports, workspace, connectorId, artifact) : notSql),
  };
}

const notSql = { changes: null, changes_unknown: 'It is no SQL.' };

async function changesOf(
  ports: ArtifactDiffPorts,
  workspace: WorkspaceId,
  connectorId: string | null,
  artifact: AgentArtifact,
): Promise<Pick<ArtifactDiff, 'changes' | 'changes_unknown'>> {
  const [only, ...others] = connectorId === null ? (await ports.namesOf(workspace)).connectors : [];
  const chosen = connectorId ?? (others.length === 0 ? only?.id : undefined);
  if (chosen === undefined)
    return { changes: null, changes_unknown: 'The workspace has several connectors: name one.' };
  const { connector, reading } = await openGraph(ports, workspace, chosen, ports.clock.now());
  return proposedChanges(reading, { workspace, connector, parser: await ports.sqlParser() }, artifact);
}

async function lineageOf({ sqlParser }: ArtifactDiffPorts, artifact: AgentArtifact, parent: AgentArtifact | null) {
  const parser = await sqlParser();
  const after = analysed(parser, artifact);
  const before = parent && analysed(parser, parent);
  const [made, was] = [columnsOf(after), before ? columnsOf(before) : new Map<string, string>()];
  return {
    reads: after.reads?.map(writtenName).sort(compare) ?? null,
    writes: after.target && writtenName(after.target),
    columns_added: [...made.keys()].filter((column) => !was.has(column)),
    columns_removed: [...was.keys()].filter((column) => !made.has(column)),
    columns_changed: [...made]
      .filter(([column, sources]) => was.has(column) && was.get(column) !== sources)
      .map(([column]) => column),
    unresolved_reason: after.unresolvedReason ?? before?.unresolvedReason ?? null,
  };
}

function analysed(parser: SqlParser, artifact: AgentArtifact): SqlAnalysis {
  const [dialect = 'postgres'] = dialectsOf(artifact);
  return analyseSql(parser, plainSql(artifact), { dialect, columnsOf: () => null });
}

/** Each output column, and what reaches it as one text. */
const columnsOf = ({ outputs }: SqlAnalysis): Map<string, string> =>
  new Map(
    outputs.flatMap(({ column, sources }) => {
      if (column === null) return [];
      const told = sources.map(({ relation, column: source, expression }) =>
        JSON.stringify([writtenName(relation), source, expression]),
      );
      return [[column, told.sort(compare).join()]];
    }),
  );
