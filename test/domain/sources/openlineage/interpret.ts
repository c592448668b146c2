import { type NodeFacts, noFacts } from '../../../../shared/domain/lineage/graph/claim.ts';
import type { ColumnMapping, Derivation } from '../../../../shared/domain/lineage/graph/derivation.ts';
import { type Node, nodeOf, relationRefOf, type Urn, urnOf } from '../../../../shared/domain/lineage/graph/node.ts';
import { type Micros, microsOfOrder, type Order } from '../../../../shared/domain/lineage/graph/order.ts';
import { contributionOf } from '../../../../shared/domain/lineage/sources/openlineage/contribution.ts';
import type { JobEvent, RunEvent } from '../../../../shared/domain/lineage/sources/openlineage/event.ts';
import type { Resolve } from '../../../../shared/domain/lineage/sources/openlineage/event-names.ts';
import { observedScopeKey } from '../../../../shared/domain/lineage/sources/openlineage/job-scopes.ts';
import {
  datasetEventOf,
  jobEventOf,
  runOf,
  type StaticLineage,
} from '../../../../shared/domain/lineage/sources/openlineage/run.ts';
import type { RunLineage, RunRecord } from '../../../../shared/domain/lineage/sources/openlineage/run-store.ts';
import { settleColumnSources } from '../../../../shared/domain/lineage/sources/openlineage/settle-column-sources.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import { analyseSql } from '../../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlParser } from '../../../../shared/domain/lineage/sql/types.ts';
import { currentName, isDropped } from '../../../../shared/domain/lineage/traversal/names.ts';

type Interpretation = {
  /** `from -> to`, by relation ref. */
  readonly tables: readonly string[];
  /** `from.column -> to.column type/subtype`, `*` for every column of the output. */
  readonly columns: readonly string[];
};

/** Every dataset is its own node, and its symlinks are its aliases. */
export const itself: Resolve = ({ namespace, name, symlinks }) => ({
  node: { kind: 'dataset', namespace, name },
  aliases: symlinks.map((link): Node => ({ kind: 'dataset', namespace: link.namespace, name: link.name })),
});

/** Settles columns by the statements of events, as the projection does. */
export const settledBy =
  (parser: SqlParser, settings?: Parameters<typeof settleColumnSources>[2]) =>
  <E extends RunEvent | JobEvent>(event: E): E =>
    settleColumnSources((statement, options) => analyseSql(parser, statement, options), event, settings);

type Claim = { readonly scope: string; readonly at: Micros; readonly derivation: Derivation };
type Runs = Map<string, { scope: string; heard: Map<string, RunRecord> }>;

/** The graph that events make: what the projection keeps in a store, in memory and at once. */
export function interpret(
  events: readonly unknown[],
  resolve: Resolve = itself,
  settle: <E extends RunEvent | JobEvent>(event: E) => E = (event) => event,
): Interpretation {
  const runs: Runs = new Map();
  const declared = new Map<string, StaticLineage>();
  const meanings: Pick<RunLineage, 'aliases' | 'renames' | 'drops'>[] = [];
  for (const event of events) {
    const checked = validateEvent(event);
    if (!checked.valid) continue;
    if (checked.kind === 'RunEvent') {
      hear(
        runs,
        checked.event.run.runId,
        observedScopeKey(checked.event.job),
        contributionOf(settle(checked.event), resolve),
      );
      continue;
    }
    const meaning =
      checked.kind === 'JobEvent'
        ? jobEventOf(settle(checked.event), resolve, '')
        : datasetEventOf(checked.event, resolve, '');
    meanings.push(meaning);
    const known = declared.get(meaning.scopeKey);
    if (meaning.derivations && (!known || known.order < meaning.order)) declared.set(meaning.scopeKey, meaning);
  }
  const observed = [...runs.values()].map(({ scope, heard }) => ({ scope, meaning: runOf(heard, '') }));
  const claims = [...observed.flatMap(observedClaims), ...[...declared.values()].flatMap(declaredClaims)];
  return edgesOf(claims, factsOf([...meanings, ...observed.map(({ meaning }) => meaning)]));
}

function hear(
  runs: Runs,
  runId: string,
  scope: string,
  { at, digest, content }: ReturnType<typeof contributionOf>,
): void {
  const run = runs.get(`${scope}\n${runId}`) ?? { scope, heard: new Map() };
  const known = run.heard.get(digest);
  const [first, last] = [known && known.first < at ? known.first : at, known && known.last > at ? known.last : at];
  run.heard.set(digest, { content, first, last });
  runs.set(`${scope}\n${runId}`, run);
}

const observedClaims = ({ scope, meaning }: { scope: string; meaning: RunLineage }): Claim[] =>
  meaning.derivations.map((derivation) => ({ scope, at: meaning.observed?.last ?? ('' as Micros), derivation }));

const declaredClaims = ({ scopeKey, order, derivations }: StaticLineage): Claim[] =>
  (derivations ?? []).map((derivation) => ({ scope: scopeKey, at: microsOfOrder(order as Order), derivation }));

function factsOf(meanings: readonly Pick<RunLineage, 'aliases' | 'renames' | 'drops'>[]): (urn: Urn) => NodeFacts {
  const facts = new Map<Urn, NodeFacts>();
  const known = (urn: Urn) => facts.get(urn) ?? noFacts;
  for (const { aliases, renames, drops } of meanings) {
    for (const { alias, canonical } of aliases) {
      facts.set(alias, { ...known(alias), aliasOf: [...known(alias).aliasOf, canonical] });
    }
    for (const { from, to, at } of renames) {
      facts.set(from, { ...known(from), renamedTo: [...known(from).renamedTo, { urn: to, at }] });
    }
    for (const { node, at } of drops) {
      const before = known(node).droppedAt;
      facts.set(node, { ...known(node), droppedAt: before !== null && before > at ? before : at });
    }
  }
  return known;
}

function edgesOf(claims: readonly Claim[], facts: (urn: Urn) => NodeFacts): Interpretation {
  const tables = new Set<string>();
  const maps = new Map<string, { at: Micros; columns: string[] }>();
  for (const { scope, at, derivation } of claims) {
    for (const input of derivation.inputs) {
      const [from, to] = [currentName(urnOf(input), at, facts), currentName(urnOf(derivation.output), at, facts)];
      if ([from, to].some((urn) => isDropped(facts(urn), at))) continue;
      const edge = `${refOf(from)} -> ${refOf(to)}`;
      tables.add(edge);
      const columns = derivation.columns.filter((one) => urnOf(one.input) === urnOf(input));
      const known = maps.get(`${scope}\n${edge}`);
      if (known && known.at > at) continue;
      maps.set(`${scope}\n${edge}`, { at, columns: columns.map((one) => columnEdge(refOf(from), refOf(to), one)) });
    }
  }
  const columns = new Set([...maps.values()].flatMap((map) => map.columns));
  return { tables: [...tables].sort(), columns: [...columns].sort() };
}

const refOf = (urn: Urn) => relationRefOf(nodeOf(urn));

const columnEdge = (from: string, to: string, { inputColumn, outputColumn, type, subtype, masking }: ColumnMapping) =>
  `${from}.${inputColumn} -> ${to}.${outputColumn ?? '*'} ${type}/${subtype ?? '-'}${masking ? ' masked' : ''}`;
