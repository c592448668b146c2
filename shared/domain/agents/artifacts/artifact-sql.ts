import type { AgentArtifact } from '../../../contract/agent-artifacts.ts';
import { filledTemplate, modelOfFile } from '../../lineage/sources/models/template.ts';
import { dialectNamed, type SqlDialect } from '../../lineage/sql/dialect.ts';
import type { RelationName } from '../../lineage/sql/types.ts';

type Sql = Pick<AgentArtifact, 'kind' | 'path' | 'content' | 'language' | 'metadata'>;

export const isSql = ({ kind }: Pick<AgentArtifact, 'kind'>): boolean => kind === 'sql' || kind === 'dbt_model';

/** The dialects that the text may be in, the likeliest first. */
export const dialectsOf = ({ language }: Sql, platform?: string): readonly SqlDialect[] => [
  ...new Set([language, platform ?? ''].flatMap((name) => dialectNamed(name) ?? []).concat('postgres')),
];

/** The content without dbt's template: what it names stands as a relation, of a condition all branches. */
export const plainSql = (artifact: Sql): string =>
  filledTemplate(artifact.content, (tag) => {
    if (tag.kind === 'this') return modelOfFile(artifact.path);
    return tag.kind === 'name' ? tag.names.join('.') : tag.kind === 'unknown' ? null : '';
  });

/** Names of the relation that the artifact makes. The first that the graph knows counts: folders tell models apart. */
export function builtRelation(artifact: Sql, target: RelationName | null): readonly string[] {
  const { relation_ref } = artifact.metadata;
  if (typeof relation_ref === 'string' && relation_ref !== '') return [relation_ref];
  if (target !== null) return [writtenName(target)];
  if (artifact.kind !== 'dbt_model') return [];
  const [model, folder = ''] = [modelOfFile(artifact.path), artifact.path.split('/').at(-2)];
  return folder === '' ? [model] : [`${folder}.${model}`, model];
}

/** As a reference has it: quoted where it was, so that case and dots keep their meaning. */
export const writtenName = (name: RelationName): string =>
  name.map(({ text, quoted }) => (quoted || /[.\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('.');
