import type { Connector } from '../names/connector.ts';
import { bindingKey } from '../names/namespace.ts';

/** What a delivery names that a connector's settings may give a meaning: only such deliveries does a change concern. */
export type SaidName =
  /** With the names of its datasets that no connector had. */
  | { readonly kind: 'namespace'; readonly namespace: string; readonly unowned?: ReadonlySet<string> }
  | { readonly kind: 'connector'; readonly id: string }
  | { readonly kind: 'datahub' };

/** The same name whichever spelling of a namespace was written. */
export function saidKey(name: SaidName): string {
  switch (name.kind) {
    case 'namespace':
      return `namespace:${bindingKey(name.namespace)}`;
    case 'connector':
      return `connector:${name.id}`;
    case 'datahub':
      return 'datahub';
  }
}

const datahub: SaidName = { kind: 'datahub' };
const namespacesOf = (namespaces: readonly string[]) =>
  namespaces.map((namespace): SaidName => ({ kind: 'namespace', namespace }));

/** The names that mean something else once a connector has these settings, or is new (`before` null). */
export function namesAffected(before: Connector | null, after: Connector): readonly SaidName[] {
  if (before === null) return [...namespacesOf(after.namespaces), { kind: 'connector', id: after.id }, datahub];
  const [old, next] = [before.namespaces, after.namespaces];
  if (changesEveryName(before, after))
    return [...namespacesOf([...old, ...next]), { kind: 'connector', id: after.id }, datahub];
  const [keysBefore, keysAfter] = [new Set(old.map(bindingKey)), new Set(next.map(bindingKey))];
  return [
    ...namespacesOf(old.filter((one) => !keysAfter.has(bindingKey(one)))),
    ...namespacesOf(next.filter((one) => !keysBefore.has(bindingKey(one)))),
    ...(changesDatahub(before, after) ? [datahub] : []),
  ];
}

/** A connector of the kind `other` takes its rules of names from its namespaces. */
const changesEveryName = (before: Connector, after: Connector): boolean =>
  before.kind !== after.kind ||
  before.default_database !== after.default_database ||
  before.default_schema !== after.default_schema ||
  (after.kind === 'other' && JSON.stringify(before.namespaces) !== JSON.stringify(after.namespaces));

const changesDatahub = (before: Connector, after: Connector): boolean =>
  before.datahub_env !== after.datahub_env ||
  JSON.stringify(before.datahub_platform_instances) !== JSON.stringify(after.datahub_platform_instances);
