import type { AgentArtifact } from '../../../contract/agent-artifacts.ts';
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
  withoutTags(artifact.content, (expression) => {
    if (expression === 'this') return modelName(artifact);
    if (/^config\s*\(/.test(expression)) return '';
    const [, model] = refCall.exec(expression) ?? [];
    const [, source, table] = sourceCall.exec(expression) ?? [];
    return model ?? (source === undefined ? null : `${source}.${table}`);
  });

const refCall = /^ref\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]/;
const sourceCall = /^source\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]/;

const closing: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/** @param meaningOf what an expression represents; null if that is not known, and it is left as it is */
function withoutTags(text: string, meaningOf: (expression: string) => string | null): string {
  let plain = '';
  let at = 0;
  for (const { 0: opening, index } of text.matchAll(/\{[{%#]/g)) {
    if (index < at) continue;
    const end = text.indexOf(closing[opening] ?? '', index + 2);
    // Searched only once: in a text of only openings, each search would scan to the end.
    if (end < 0) break;
    const expression = text
      .slice(index + 2, end)
      .replace(/^-|-$/g, '')
      .trim();
    const value = opening === '{{' ? meaningOf(expression) : '';
    plain += text.slice(at, index) + (value ?? text.slice(index, end + 2));
    at = end + 2;
  }
  return plain + text.slice(at);
}

/** Names of the relation that the artifact makes. The first that the graph knows counts: folders tell models apart. */
export function builtRelation(artifact: Sql, target: RelationName | null): readonly string[] {
  const { relation_ref } = artifact.metadata;
  if (typeof relation_ref === 'string' && relation_ref !== '') return [relation_ref];
  if (target !== null) return [writtenName(target)];
  if (artifact.kind !== 'dbt_model') return [];
  const [model, folder = ''] = [modelName(artifact), artifact.path.split('/').at(-2)];
  return folder === '' ? [model] : [`${folder}.${model}`, model];
}

/** dbt names a model by its file. */
const modelName = ({ path }: Sql): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]*$/, '');

/** As a reference has it: quoted where it was, so that case and dots keep their meaning. */
export const writtenName = (name: RelationName): string =>
  name.map(({ text, quoted }) => (quoted || /[.\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('.');
