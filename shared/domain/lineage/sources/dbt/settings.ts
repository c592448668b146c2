import type { Node } from '../../graph/node.ts';
import { type Connector, platformOf } from '../../names/connector.ts';
import { declaredRelation, partsOfRef } from '../../names/relation-ref.ts';
import type { ExternalRelation, Model, ModelSettings } from '../models/model-project.ts';
import { type TemplateSettings, templateSettings } from '../models/template.ts';
import { type DbtModel, rowSettings } from './manifest.ts';

/** A table, a view and an inlined query of one statement have the same rows. */
const rebuilt: ReadonlySet<string> = new Set([
  'view',
  'table',
  'materialized_view',
  'dynamic_table',
  'streaming_table',
  'ephemeral',
]);
const nameSettings = ['alias', 'schema', 'database'] as const;
/** Settings that decide names, not rows. */
const withoutRows: ReadonlySet<string> = new Set([
  ...nameSettings,
  'contract',
  'quoting',
  'snapshot_meta_column_names',
  'materialized',
  'on_schema_change',
]);

export function settingsOf(model: DbtModel): ModelSettings {
  const { config, checksum, resource_type } = model;
  const materialized = config?.materialized ?? null;
  const values = Object.entries(config ?? {}).flatMap(([name, value]) =>
    withoutRows.has(name) || isUnset(name, value) ? [] : [[name, JSON.stringify(value)] as const],
  );
  const isProven = checksum?.name === 'sha256' && (checksum.checksum ?? '') !== '';
  const isCode = resource_type !== 'seed' && model.language === 'python';
  const content = isCode ? (model.compiled_code ?? null) : null;
  return {
    values: { ...Object.fromEntries(values), ...rowsOf(materialized) },
    naming: Object.fromEntries(nameSettings.flatMap((name) => (config?.[name] ? [[name, config[name]]] : []))),
    materialized,
    onSchemaChange: config?.on_schema_change ?? null,
    content: content ?? (isProven && (resource_type === 'seed' || isCode) ? (checksum.checksum ?? null) : null),
    seedFile: resource_type === 'seed' ? (model.original_file_path ?? null) : null,
    template: model.raw_code ?? model.raw_sql ?? null,
  };
}

const rowsOf = (materialized: string | null) =>
  materialized === null ? {} : { materialized: JSON.stringify(rebuilt.has(materialized) ? 'rebuilt' : materialized) };

/** Defaults that only newer versions of dbt write. */
const defaults: Readonly<Record<string, unknown>> = { lookback: 1, delimiter: ',' };

const isUnset = (name: string, value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0) || value === defaults[name];

/** How statements name a model that is inlined. */
export const inlinedNames = (names: readonly (string | null | undefined)[]): string[][] =>
  [...new Set(names)].flatMap((one) => (one ? [[`__dbt__cte__${one}`]] : []));

const deciding: ReadonlySet<string> = new Set([
  ...nameSettings,
  ...rowSettings,
  'enabled',
  'materialized',
  'unique_key',
  'incremental_strategy',
  'hard_deletes',
]);

type Configured = { readonly model: Model | null; readonly source: ExternalRelation | null };

/**
 * A model as its file configures it, or a relation that nothing makes if the file disables it. What neither version of
 * the file sets is as it was. Null if the value of a setting is not known.
 */
export function configured(connector: Connector, model: Model, template: TemplateSettings): Configured | null {
  const { settings, node } = model;
  const former = templateSettings(settings?.template ?? '');
  const changed = [...new Set([...template.keys(), ...former.keys()])].filter(
    (name) => deciding.has(name) && template.get(name) !== former.get(name),
  );
  const set = new Map(changed.map((name) => [name, literalIn(template.get(name))] as const));
  if ([...set.values()].includes(undefined)) return null;
  if (set.get('enabled') === false) return { model: null, source: node && { ...model, node, columns: null } };
  const values = { ...settings?.values };
  const naming: NonNullable<ModelSettings['naming']> = { ...settings?.naming };
  for (const name of nameSettings) if (set.has(name)) Object.assign(naming, { [name]: set.get(name) ?? undefined });
  const materialized = textOr(set.get('materialized'), settings?.materialized ?? null);
  for (const [name, value] of set) {
    if (withoutRows.has(name) || name === 'enabled') continue;
    delete values[name];
    if (!isUnset(name, value)) values[name] = JSON.stringify(value);
  }
  const isInlined = materialized === 'ephemeral';
  const moved = node?.kind === 'relation' ? renamed(connector, model, node, naming) : node;
  return {
    source: null,
    model: {
      ...model,
      node: isInlined ? null : moved,
      // What reads it still has the name that it had when it was compiled.
      names: isInlined ? [...model.names, ...inlinedNames([model.id.split('.')[2]])] : model.names,
      settings: {
        content: null,
        template: null,
        ...settings,
        naming,
        materialized,
        values: { ...values, ...rowsOf(materialized) },
      },
    },
  };
}

const textOr = (value: unknown, other: string | null) => (typeof value === 'string' ? value : other);

/** Null: it is not set. Undefined: it is not known. */
function literalIn(json: string | undefined): unknown {
  if (json === undefined) return null;
  return json.startsWith('=') ? undefined : JSON.parse(json);
}

type Relation = Node & { readonly kind: 'relation' };

/** The relation by the names that the configuration chooses; what it does not choose is as it was. */
function renamed(connector: Connector, { id, settings }: Model, node: Relation, naming: ModelSettings['naming']): Node {
  const parts = partsOfRef(platformOf(connector), node.ref);
  const [, , name] = id.split('.');
  const chosen = { database: naming?.database, schema: naming?.schema, alias: naming?.alias ?? name };
  const places = nameSettings.filter((key) => settings?.naming?.[key] !== naming?.[key]);
  for (const key of places) {
    const at = parts.length - 1 - nameSettings.indexOf(key);
    if (at >= 0) parts[at] = chosen[key] ?? `default_${key}`;
  }
  return places.length === 0
    ? node
    : declaredRelation(
        connector,
        parts.map((text) => ({ text, quoted: true })),
      );
}
