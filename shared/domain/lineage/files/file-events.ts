// What the OpenLineage events of files state: read by the code that reads delivered events, all of them as one feed.
import * as v from 'valibot';
import { DeliveryId, ProviderInstanceId } from '../../../contract/ids.ts';
import type { ConnectorKind } from '../../../contract/vocabulary.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import { type NodeFacts, noFacts } from '../graph/claim.ts';
import type { EdgeStatement } from '../graph/claim-writer.ts';
import type { DetailVersion } from '../graph/derivation.ts';
import { joinedObservations, withObserved } from '../graph/edge-details.ts';
import { nodeOf, type Urn } from '../graph/node.ts';
import { extendSpan, isoOfMicros, type Micros, microsOfOrder, type Order, type Span } from '../graph/order.ts';
import type { UnfinishedRun } from '../graph/runs.ts';
import type { Described, RelationSchema } from '../graph/schema.ts';
import { type ScopeIdentity, schemasScopeOf, scopeOfProvider } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import { parseNamespace } from '../names/namespace.ts';
import { platformOfConnectorKind } from '../names/platforms.ts';
import { namesRelations } from '../names/resolve-dataset.ts';
import { edgeName, edgesOf } from '../projection/edges.ts';
import { type EventsDelivery, type LocatedRun, runsOf, staticScopes } from '../projection/group-items.ts';
import { claimsOf, orderOfRun, unfinishedRun } from '../projection/observe-run.ts';
import { schemaContents } from '../projection/project-openlineage.ts';
import { interpreted, readItems } from '../projection/read-items.ts';
import { settledItems } from '../projection/settle-items.ts';
import { usedNames } from '../projection/used-names.ts';
import { noActivity } from '../providers/activity.ts';
import { noCounters, type ProviderRecord } from '../providers/provider.ts';
import type { Named } from '../sources/openlineage/event.ts';
import { runOf, type StaticLineage } from '../sources/openlineage/run.ts';
import type { RunLineage } from '../sources/openlineage/run-store.ts';
import type { SqlParser } from '../sql/types.ts';
import { type FileFacts, type FileScope, filesWorkspace } from './file-graph.ts';

export type ReadEvents = ReturnType<typeof readItems> & { readonly delivery: EventsDelivery };

const idOfFeed = '00000000-0000-4000-8000-000000000000';

export function readEvents(events: readonly unknown[], now: Date, feed = idOfFeed): ReadEvents {
  const delivery: EventsDelivery = {
    ...{ kind: 'openlineage_batch', received_at: now.toISOString(), connector_id: null },
    ...{ delivery_id: v.parse(DeliveryId, feed), provider_instance_id: v.parse(ProviderInstanceId, feed) },
  };
  return { ...readItems(delivery, events), delivery };
}

/** The last two parts of a name, in lower case and without quotes: what spellings of one relation share. */
export const endOfName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/["`[\]]/g, '')
    .split('.')
    .slice(-2)
    .join('.');

/**
 * The namespace whose relations are those of the other files: of the kind's platform the one that shares most names with
 * them, else the one with most names. Only one: relations of two accounts may have the same name.
 */
export function namespaceOf(
  { items }: ReadEvents,
  kind: ConnectorKind | undefined,
  declared: ReadonlySet<string>,
): string | null {
  const naming = kind === undefined ? null : platformOfConnectorKind(kind);
  const isPossible = (namespace: string) =>
    namesRelations(namespace) && (naming === null || kind === 'other' || parseNamespace(namespace).naming === naming);
  const names = Map.groupBy(items.flatMap(datasetsOf), ({ namespace }) => namespace);
  const possible = [...names].filter(([namespace]) => isPossible(namespace));
  const shared = (all: readonly Named[]) =>
    new Set(all.map(({ name }) => endOfName(name)).filter((one) => declared.has(one))).size;
  const [best] = sortedBy(
    possible,
    ([, all]) => -shared(all),
    ([, all]) => -new Set(all.map(({ name }) => name)).size,
    ([namespace]) => namespace,
  );
  return best?.[0] ?? null;
}

function datasetsOf({ event }: ReadEvents['items'][number]): Named[] {
  const datasets = 'dataset' in event ? [event.dataset] : [...(event.inputs ?? []), ...(event.outputs ?? [])];
  return datasets.flatMap((one) => [one, ...(one.facets?.symlinks?.identifiers ?? [])]);
}

/** The connector that the files belong to, and all whose names they may use. */
export type FileNames = { readonly connector: Connector; readonly connectors: readonly Connector[] };

export async function openEvents(
  { connector, connectors }: FileNames,
  { items, quarantined, delivery }: ReadEvents,
  sqlParser: () => Promise<SqlParser>,
): Promise<FileFacts & { readonly scopes: readonly FileScope[] }> {
  const own = { ...delivery, connector_id: connector.id };
  const settled = await settledItems({ sqlParser }, connectors, own, items);
  const { readable, failed } = interpreted(settled, usedNames(connectors).resolve);
  const scopes = new ScopesOfEvents(own, schemaContents(readable));
  const facts = new Facts();
  const unfinished: UnfinishedRun[] = [];
  const runs = runsOf(own, readable).map((run) => ({ ...run, lineage: runOf(run.records, run.location) }));
  for (const run of sortedBy(runs, ({ lineage }) => lineage.observed?.last ?? '')) {
    const { lineage } = run;
    if (lineage.unfinished.length > 0) unfinished.push(unfinishedRun(run, lineage));
    if (lineage.observed === null) continue;
    scopes.observe(run, lineage, lineage.observed);
    facts.add(lineage);
  }
  for (const statics of staticScopes(readable).map((all) => all.map(({ declared }) => declared))) {
    scopes.declare(statics);
    for (const one of statics) facts.add(one);
  }
  const unread = quarantined.length + failed.length > 0;
  return { scopes: scopes.all(), facts: facts.all, unfinished, records: unread ? [recordOf(own)] : [] };
}

/** The feed, if some of its events could not be read: it limits every claim, as in a service. */
const recordOf = ({ provider_instance_id, connector_id, received_at }: EventsDelivery): ProviderRecord => ({
  provider: {
    ...{ id: provider_instance_id, workspace_id: filesWorkspace, connector_id, provider_type: 'openlineage' },
    ...{ display_name: 'OpenLineage', status: 'active', status_at: received_at },
  },
  counters: noCounters,
  activity: { ...noActivity, last_quarantined_at: received_at },
});

type Known = Omit<FileScope, 'edges' | 'observed' | 'declared'> & {
  readonly edges: Map<string, EdgeStatement>;
  /** Of the edges of runs: the newest, and its siblings. */
  readonly versions: Map<string, readonly DetailVersion[]>;
  readonly observed: Map<string, Span>;
  readonly schemas: Map<Urn, RelationSchema>;
  readonly reads: Set<Urn>;
};

/** What each job and dataset states, newest last: of an edge the newest run and its siblings tell the columns. */
class ScopesOfEvents {
  readonly #known = new Map<string, Known>();
  readonly #delivery: EventsDelivery;
  readonly #contents: ReturnType<typeof schemaContents>;

  constructor(delivery: EventsDelivery, contents: ReturnType<typeof schemaContents>) {
    this.#delivery = delivery;
    this.#contents = contents;
  }

  all(): FileScope[] {
    return [...this.#known.values()].map(({ edges, versions: _, schemas, ...scope }) => {
      const relations = [...schemas.keys()].map((urn) => ({ node: nodeOf(urn), isMade: false }));
      return { ...scope, edges: [...edges.values()], declared: { relations, schemas } };
    });
  }

  observe(run: LocatedRun, lineage: RunLineage, observed: Span): void {
    const scope = this.#of(run.scope);
    const order = orderOfRun(run, observed.last);
    for (const { from, to, detail } of claimsOf(lineage, run)) {
      const name = edgeName({ from, to });
      const versions = withObserved(scope.versions.get(name) ?? [], { order, detail });
      scope.versions.set(name, versions);
      scope.edges.set(name, { from, to, detail: joinedObservations(versions)[0]?.detail ?? detail });
      extendSpan(scope.observed, name, observed);
    }
    for (const node of lineage.reads) {
      scope.reads.add(node);
      extendSpan(scope.observed, node, observed);
    }
    for (const one of sortedBy(lineage.schemas, ({ last }) => last)) this.#describe(one, one);
  }

  /** @param statics of one job or dataset, oldest first */
  declare(statics: readonly StaticLineage[]): void {
    for (const { node, schema, at } of statics.flatMap(({ seen }) => seen))
      this.#describe({ node, schema }, { first: at, last: at });
    const newest = statics.findLast(({ derivations }) => derivations !== null);
    if (!newest?.derivations) return;
    const scope = this.#of(
      scopeOfProvider(this.#delivery.provider_instance_id, 'static', newest.scopeKey),
      newest.order,
    );
    for (const node of newest.reads) scope.reads.add(node);
    const observedAt = isoOfMicros(microsOfOrder(newest.order));
    for (const edge of edgesOf(newest.derivations, {
      deliveryId: scope.deliveryId,
      observedAt,
      unmappedIsUnknown: true,
    }))
      scope.edges.set(edgeName(edge), edge);
  }

  #describe({ node, schema }: Described, span: Span): void {
    const content = this.#contents.get(schema);
    if (!content) return;
    const { provider_instance_id: feed } = this.#delivery;
    // A newer part of a list does not replace the list (`countedSchemas`).
    const scope = this.#of(content.complete ? schemasScopeOf(feed) : scopeOfProvider(feed, 'observed', 'columns'));
    const known = scope.observed.get(node);
    if (known === undefined || known.last <= span.last) scope.schemas.set(node, content);
    extendSpan(scope.observed, node, span);
  }

  #of(identity: ScopeIdentity, order?: Order): Known {
    const { delivery_id: deliveryId, received_at: at } = this.#delivery;
    const maps = { edges: new Map(), versions: new Map(), observed: new Map(), schemas: new Map() };
    return findOrAdd(this.#known, identity.scopeKey, () => ({
      identity,
      at,
      deliveryId,
      ...maps,
      reads: new Set<Urn>(),
      ...(order && { order }),
    }));
  }
}

/** Other names of relations, and when they were renamed or dropped. */
class Facts {
  readonly all = new Map<Urn, NodeFacts>();

  add({ aliases, renames, drops }: Pick<RunLineage, 'aliases' | 'renames' | 'drops'>): void {
    for (const { alias, canonical } of aliases) {
      this.#change(alias, ({ aliasOf }) => ({ aliasOf: distinct([...aliasOf, canonical]) }));
      this.#change(canonical, (known) => ({ aliases: distinct([...known.aliases, alias]) }));
    }
    for (const { from, to, at } of renames) {
      this.#change(from, ({ renamedTo }) => ({ renamedTo: [...renamedTo, { urn: to, at }] }));
      this.#change(to, ({ renamedFrom }) => ({ renamedFrom: [...renamedFrom, { urn: from, at }] }));
    }
    for (const { node, at } of drops) this.#change(node, ({ droppedAt }) => ({ droppedAt: later(droppedAt, at) }));
  }

  #change(urn: Urn, change: (known: NodeFacts) => Partial<NodeFacts>): void {
    const known = this.all.get(urn) ?? noFacts;
    this.all.set(urn, { ...known, ...change(known) });
  }
}

const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)];

const later = (known: Micros | null, at: Micros): Micros => (known !== null && known > at ? known : at);
