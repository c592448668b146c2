import type { Node } from '../../graph/node.ts';
import { type Connector, platformOf } from '../../names/connector.ts';
import { declaredRelation, partsOfRef, splitName } from '../../names/relation-ref.ts';
import type { ReadableNames } from '../models/model-project.ts';
import type { DbtManifest, DbtModel, DbtQuoting, DbtSource } from './manifest.ts';

type DbtRelation = {
  readonly node: Node & { readonly kind: 'relation' };
  readonly names: ReadableNames;
  /** What dbt writes into statements where that is no name: the file of a source of dbt-duckdb, or a call that reads it. */
  readonly expression: string | null;
};

const levels = ['database', 'schema', 'identifier'] as const;

/** By (database, schema, alias or identifier) (C-DBT-1); `relation_name` shows what is quoted, or the project. */
export function dbtRelation(
  connector: Connector,
  metadata: DbtManifest['metadata'],
  item: DbtModel | DbtSource,
): DbtRelation {
  const isModel = 'resource_type' in item;
  const table = (isModel ? item.alias : item.identifier) || item.alias || item.identifier || item.name;
  const quoting = isModel ? item.config?.quoting : item.quoting;
  const expression = isExpression(item.relation_name) ? item.relation_name : null;
  const rendered = (expression === null && splitName(item.relation_name ?? '')) || [];
  const parts = [item.database, item.schema, table].map((text, i) => {
    if (!text) return null;
    const written = rendered.at(i - levels.length);
    const quoted =
      written && written.text === text ? written.quoted : isQuoted(metadata, quoting, levels[i] ?? 'identifier');
    return { text, quoted };
  });
  const node = declaredRelation(connector, parts);
  const names = [partsOfRef(platformOf(connector), node.ref), rendered.map((part) => part.text)];
  return { node, names: names.filter((name) => name.length > 0), expression };
}

const isExpression = (text: string | null | undefined): text is string =>
  Boolean(text?.startsWith("'") || text?.endsWith(')'));

/** Only Snowflake's adapter quotes nothing unless it is configured to. */
function isQuoted(metadata: DbtManifest['metadata'], own: DbtQuoting, level: (typeof levels)[number]): boolean {
  return own?.[level] ?? metadata.quoting?.[level] ?? metadata.adapter_type !== 'snowflake';
}
