// Operations (`on-run-start`, `on-run-end`) and functions: code that reads relations of the project and makes none.
import * as v from 'valibot';
import { unreadDependency } from '../../../../contract/unresolved-reasons.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { exposureFacts } from '../../graph/exposure.ts';
import type { Connector } from '../../names/connector.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import type { DocumentItem } from '../declared/declared.ts';
import type { Model, ModelStatement } from '../models/model-project.ts';
import { dependsOn, lenient, text } from './semantic-layer.ts';

export const Code = v.object({
  resource_type: v.picklist(['operation', 'function']),
  depends_on: lenient(dependsOn),
  ...{ language: text, raw_code: text, compiled_code: text },
});
export type DbtCode = v.InferOutput<typeof Code>;
type Item = DocumentItem<DbtCode>;

/** Code as consumers of what it depends on (C-DBT-1). */
export const codeConsumers = (
  { connector, dialect }: { readonly connector: Connector; readonly dialect: SqlDialect },
  items: readonly Item[],
): Model[] =>
  items.flatMap(({ key, place: location, value }): Model[] => {
    const nodes = value.depends_on?.nodes ?? [];
    if (nodes.length === 0) return [];
    return [
      {
        ...{ id: key, isModel: false, node: { kind: 'exposure', connectorId: connector.id, name: key }, names: [] },
        dependsOn: nodes,
        statement: statementOf(value, dialect),
        ...{ statementKind: null, addedColumns: [], columns: null },
        exposure: exposureFacts({ title: null, tool: value.resource_type, owners: [] }),
        location,
      },
    ];
  });

/** dbt renders operations when it runs them, so a manifest seldom has their SQL. */
function statementOf({ language, compiled_code }: DbtCode, dialect: SqlDialect): ModelStatement {
  if ((language ?? 'sql') !== 'sql' || !compiled_code?.trim()) return { kind: 'none', reason: unreadDependency };
  return { kind: 'sql', text: compiled_code, dialects: [dialect] };
}

/** The code of a model's hooks, which its configuration has as text or as objects. */
export const hooksOf = ({ settings }: Pick<Model, 'settings'>): string[] =>
  ['pre-hook', 'post-hook'].flatMap((name) => {
    const hooks: readonly unknown[] = [JSON.parse(settings?.values[name] ?? '[]')].flat();
    return hooks.flatMap((hook) => {
      const code = isJsonObject(hook) ? hook['sql'] : hook;
      return typeof code === 'string' ? code : [];
    });
  });

/** What calls of functions run, as settings that decide rows: the caller's own statement only names them. */
export function calledCode(items: readonly Item[], ids: readonly string[]): Record<string, string> {
  const functions = new Map(items.map(({ key, value }) => [key, value]));
  const called = new Set(ids.filter((id) => functions.has(id)));
  for (const id of called)
    for (const next of functions.get(id)?.depends_on?.nodes ?? []) if (functions.has(next)) called.add(next);
  return Object.fromEntries([...called].map((id) => [id, JSON.stringify(functions.get(id)?.raw_code ?? null)]));
}
