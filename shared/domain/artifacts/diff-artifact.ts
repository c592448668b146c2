import { createTwoFilesPatch } from 'diff';
import type { AgentArtifact, ArtifactDiff } from '../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../contract/ids.ts';
import { compare } from '../sorted-by.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { SqlAnalysis, SqlParser } from '../sql/types.ts';
import { type ArtifactPorts, requireArtifact, showArtifact } from './keep-artifact.ts';

export type ArtifactDiffPorts = Pick<ArtifactPorts, 'artifacts' | 'contents'> & {
  readonly sqlParser: () => Promise<SqlParser>;
};

/** What an artifact changes of its parent: its text, and where it is SQL, what that reads and makes. Throws `not_found`. */
export async function diffArtifact(
  ports: ArtifactDiffPorts,
  workspace: WorkspaceId,
  id: string,
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
    unified: createTwoFilesPatch(...names, parent?.content ?? '', artifact.content),
    lineage: isSql(artifact) ? await lineageOf(ports, artifact, parent) : null,
  };
}

const isSql = ({ kind }: AgentArtifact): boolean => kind === 'sql' || kind === 'dbt_model';

async function lineageOf({ sqlParser }: ArtifactDiffPorts, artifact: AgentArtifact, parent: AgentArtifact | null) {
  const parser = await sqlParser();
  const after = analysed(parser, artifact);
  const before = parent && analysed(parser, parent);
  const [made, was] = [columnsOf(after), before ? columnsOf(before) : new Map<string, string>()];
  return {
    reads: after.reads?.map(nameOf).sort(compare) ?? null,
    writes: after.target && nameOf(after.target),
    columns_added: [...made.keys()].filter((column) => !was.has(column)),
    columns_removed: [...was.keys()].filter((column) => !made.has(column)),
    columns_changed: [...made]
      .filter(([column, sources]) => was.has(column) && was.get(column) !== sources)
      .map(([column]) => column),
    unresolved_reason: after.unresolvedReason ?? before?.unresolvedReason ?? null,
  };
}

/** Templates of dbt are read as the relations that they name. */
const plainSql = (content: string): string =>
  content
    .replaceAll(/\{\{\s*ref\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]\s*\)\s*\}\}/g, '$1')
    .replaceAll(/\{\{\s*source\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)\s*\}\}/g, '$1.$2')
    .replaceAll(/\{\{\s*config\([^}]*\)\s*\}\}/g, '');

const analysed = (parser: SqlParser, { content }: AgentArtifact): SqlAnalysis =>
  analyseSql(parser, plainSql(content), { dialect: 'postgres', columnsOf: () => null });

const nameOf = (name: readonly { readonly text: string }[]): string => name.map(({ text }) => text).join('.');

/** Each output column, and what reaches it as one text. */
const columnsOf = ({ outputs }: SqlAnalysis): Map<string, string> =>
  new Map(
    outputs.flatMap(({ column, sources }) => {
      if (column === null) return [];
      const told = sources.map(({ relation, column: source, expression }) =>
        JSON.stringify([nameOf(relation), source, expression]),
      );
      return [[column, told.sort(compare).join()]];
    }),
  );
