import * as v from 'valibot';
import { LayerRules } from '../../../contract/layers.ts';
import { connectorKinds } from '../../../contract/vocabulary.ts';
import { literalModes, statementColumns } from '../../lineage/names/connector.ts';

/** What operators may type. */
export const Name = v.pipe(
  v.string(),
  v.regex(/^\S(.*\S)?$/s, 'must begin and end with a character that is no space'),
  v.maxLength(100),
);

/** A word that is in storage paths. */
export const Environment = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
);

export const RetentionDays = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(36_500)));

/** Exactly as browsers send it. */
export const Origin = v.pipe(
  v.string(),
  v.maxLength(300),
  v.check(isOrigin, 'must be scheme://host[:port], in lower case, without path or default port'),
);

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000));
export const Rate = v.strictObject({ per_second: whole, burst: whole });

const part = v.pipe(v.string(), v.minLength(1), v.maxLength(300));
const namespace = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000));

/** The settings of a connector: each may be left out, and then stays as it is. */
const settings = {
  namespaces: v.exactOptional(v.pipe(v.array(namespace), v.maxLength(100))),
  default_database: v.exactOptional(v.nullable(part)),
  default_schema: v.exactOptional(v.nullable(part)),
  datahub_env: v.exactOptional(part),
  datahub_platform_instances: v.exactOptional(v.pipe(v.array(part), v.maxLength(100))),
  observed_retention_days: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_650))),
  shrink_guard: v.exactOptional(
    v.strictObject({
      mode: v.picklist(['off', 'warn', 'hold']),
      share: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    }),
  ),
  expression_literals: v.exactOptional(v.picklist(literalModes)),
  statement_columns: v.exactOptional(v.picklist(statementColumns)),
  layers: v.exactOptional(LayerRules),
};
export const ConnectorSettings = v.strictObject(settings);
export type ConnectorSettings = v.InferOutput<typeof ConnectorSettings>;

/** What may be changed of a connector later. */
export const ConnectorChanges = v.strictObject({ ...settings, kind: v.exactOptional(v.picklist(connectorKinds)) });
export type ConnectorChanges = v.InferOutput<typeof ConnectorChanges>;

export const NewConnector = v.strictObject({ name: Name, kind: v.picklist(connectorKinds), ...settings });
