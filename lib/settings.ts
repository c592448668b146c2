import type { Node } from 'constructs';
import * as v from 'valibot';
import { settingNames } from './function-specs.ts';
import type { Issuer } from './identity.ts';

const Settings = v.pipe(
  v.object({
    tenant: v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,29}$/)), 'main'),
    issuer: v.optional(v.pipe(v.string(), v.url())),
    audience: v.optional(v.pipe(v.string(), v.nonEmpty())),
    jwksUrl: v.optional(v.pipe(v.string(), v.url())),
  }),
  v.check(
    ({ issuer, audience, jwksUrl }) => [issuer, audience, jwksUrl].every((one) => Boolean(one) === Boolean(issuer)),
    'Give issuer, audience and jwksUrl together, or none of them.',
  ),
);

type DeploymentSettings = {
  readonly tenant: string;
  readonly issuer: Issuer | null;
  /** Replaces settings of the functions, by their names. */
  readonly chosen: Readonly<Record<string, string>>;
};

/** What `-c name=value` says: the tenant, its issuer of session tokens where it has one, and settings of functions. */
export function readSettings(node: Node): DeploymentSettings {
  const given = Object.keys(Settings.pipe[0].entries).map((name) => [name, node.tryGetContext(name)]);
  const { tenant, issuer, audience, jwksUrl } = v.parse(Settings, Object.fromEntries(given));
  return { tenant, issuer: issuer && audience && jwksUrl ? { issuer, audience, jwksUrl } : null, chosen: chosen(node) };
}

function chosen(node: Node): Record<string, string> {
  const named = settingNames.map((name) => [name, node.tryGetContext(name)] as const);
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
