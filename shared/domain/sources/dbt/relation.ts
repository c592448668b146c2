import type { Node } from '../../graph/node.ts';
import type { Connector } from '../../identity/connector.ts';
import { platformOf } from '../../identity/connector-platform.ts';
import { declaredRelation, partsOfRef, splitName } from '../../identity/relation-ref.ts';
import type { ReadableNames } from '../models/model-project.ts';
import type { DbtManifest } from './manifest.ts';
import type { DbtModel, DbtQuoting, DbtSource } from './manifest-items.ts';

type DbtRelation = { readonly node: Node & { readonly kind: 'relation' }; readonly names: ReadableNames };

const levels = ['database', 'schema', 'identifier'] as const;

/**
 * The relation of a model, (database, schema, alias), or of a source, (database, schema, identifier): C-DBT-1.
 * `relation_name` says which parts dbt quotes; without it the project's quoting does.
 */
export function dbtRelation(
  connector: Connector,
  metadata: DbtManifest['metadata'],
  item: DbtModel | DbtSource,
): DbtRelation {
  const isModel = 'resource_type' in item;
  const table = (isModel ? item.alias : item.identifier) || item.alias || item.identifier || item.name;
  const quoting = isModel ? item.config?.quoting : item.quoting;
  const rendered = splitName(item.relation_name ?? '') ?? [];
  const parts = [item.database, item.schema, table].map((text, i) => {
    if (!text) return null;
    const written = rendered.at(i - levels.length);
    const quoted =
      written && written.text === text ? written.quoted : isQuoted(metadata, quoting, levels[i] ?? 'identifier');
    return { text, quoted };
  });
  const node = declaredRelation(connector, parts);
  return { node, names: [partsOfRef(platformOf(connector), node.ref)] };
}

/** Snowflake's adapter alone quotes nothing unless it is told to. */
function isQuoted(metadata: DbtManifest['metadata'], own: DbtQuoting, level: (typeof levels)[number]): boolean {
  return own?.[level] ?? metadata.quoting?.[level] ?? metadata.adapter_type !== 'snowflake';
}
