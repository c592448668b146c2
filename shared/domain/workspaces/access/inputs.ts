import * as v from 'valibot';
import { LayerRules } from '../../../contract/layers.ts';
import { connectorKinds } from '../../../contract/vocabulary.ts';
import { literalModes, statementColumns } from '../../lineage/names/connector.ts';
import { partModes } from '../../lineage/names/parts.ts';

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

/** An origin as browsers send it, with the name of a host in its ASCII form; null if the text is none. */
export function originOf(text: string): string | null {
  // A page of an app has the scheme of its app, to which the URL standard gives no origin.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/.test(text) || !URL.canParse(text)) return null;
  const { protocol, host, href } = new URL(text);
  const origin = `${protocol}//${host}`;
  const isWhole = host !== '' && (href === origin || href === `${origin}/`) && host === host.toLowerCase();
  return isWhole && (origin === text || /[^\0-\x7f]/.test(text)) ? origin : null;
}

export const Origin = v.pipe(
  v.string(),
  v.maxLength(300),
  v.check((text) => !text.includes('*'), 'must name one host: an origin is exact, so that no other site can send'),
  v.transform((text) => originOf(text) ?? ''),
  v.minLength(1, 'must be scheme://host[:port], in lower case, without path or default port'),
);

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
  parts: v.exactOptional(v.picklist(partModes)),
  layers: v.exactOptional(LayerRules),
};
export const ConnectorSettings = v.strictObject(settings);
export type ConnectorSettings = v.InferOutput<typeof ConnectorSettings>;

/** What may be changed of a connector later. */
export const ConnectorChanges = v.strictObject({ ...settings, kind: v.exactOptional(v.picklist(connectorKinds)) });
export type ConnectorChanges = v.InferOutput<typeof ConnectorChanges>;

export const NewConnector = v.strictObject({ name: Name, kind: v.picklist(connectorKinds), ...settings });
