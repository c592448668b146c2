import * as v from 'valibot';
import { type ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { RewriteNames } from '../../../contract/messages.ts';
import { type GraphId, graphOf } from '../graph/node.ts';
import { Forgotten } from '../graph/order.ts';
import { Connector } from '../names/connector.ts';
import { bindingKey } from '../names/namespace.ts';
import { Feeds } from '../providers/feed.ts';

/** The settings of a connector that decide how relations are named, and which are its own. */
const Naming = v.pick(Connector, [
  'kind',
  'namespaces',
  'default_database',
  'default_schema',
  'datahub_env',
  'datahub_platform_instances',
  'parts',
]);
type Naming = v.InferOutput<typeof Naming>;

export const namingOf = (connector: Connector): Naming => v.parse(Naming, connector);

/** Of a connector that the graph does not know yet: it owns no namespace, and no DataHub environment has an empty name. */
const ownsNothing = { namespaces: [], datahub_env: '' };

/** The namings of the live graph, of connectors that have other settings by now; null: it had none. */
type HeldNamings = Readonly<Record<string, Naming | null>>;

/** The connectors as the graph knows them. */
const inForce = (connectors: readonly Connector[], held: HeldNamings): readonly Connector[] =>
  connectors.map((one) => (one.id in held ? { ...one, ...(held[one.id] ?? ownsNothing) } : one));

/** A graph that is made while another one answers, by names that hold once it is whole. */
const Rewrite = v.object({
  /** The generation that is made. */
  target: v.number(),
  /**
   * Each is a pass over the deliveries, oldest first, for those that do not say that they are in the target:
   * `replaying` for all, `catching_up` for those that ended meanwhile, `switching` while none ends; then the target
   * answers, `following` looks for what ended at that very moment, and `closing`, once no worker is left that began
   * before, for what any of them ended since.
   */
  state: v.picklist(['replaying', 'catching_up', 'switching', 'following', 'closing']),
  began_at: v.string(),
  /** The last delivery that the pass has looked at. */
  after: v.nullable(v.object({ received_at: v.string(), delivery_id: v.string() })),
  replayed: v.number(),
});
export type Rewrite = v.InferOutput<typeof Rewrite>;

/** The form of a graph's items. Raise it if this version cannot read earlier ones: each graph is then made again (G-NAMING-6). */
export const graphLayout = 2;

export const GraphRecord = v.object({
  workspace_id: WorkspaceId,
  layout: v.optional(v.number(), 1),
  /** The live graph lacks what was delivered before an upgrade, until another one is made. */
  incomplete: v.optional(v.boolean(), false),
  generation: v.number(),
  /** The newest generation that was ever begun: none is used twice. */
  highest: v.number(),
  /** Raised by every change of names, so that a delivery that was interpreted before is interpreted again. */
  changes: v.number(),
  held: v.record(v.string(), v.nullable(Naming)),
  /** Of all generations: a graph that is made again leaves the same out (G-FORGET-2). */
  forgotten: Forgotten,
  /** Of all generations too. Every query reads this record, so that it needs no request more for them. */
  feeds: v.optional(Feeds, {}),
  rewrite: v.nullable(Rewrite),
  /** How many steps were taken: a message that comes twice takes one step. */
  step: v.number(),
  /** Generations that answer no longer, or never will. */
  obsolete: v.array(v.number()),
  /** When the sweep asks for the next step; null if there is none. */
  due_at: v.nullable(v.string()),
});
export type GraphRecord = v.InferOutput<typeof GraphRecord>;

export const newGraphRecord = (workspace_id: WorkspaceId): GraphRecord => ({
  workspace_id,
  layout: graphLayout,
  incomplete: false,
  generation: 0,
  highest: 0,
  changes: 0,
  held: {},
  forgotten: {},
  feeds: {},
  rewrite: null,
  step: 0,
  obsolete: [],
  due_at: null,
});

/** As this version reads a record: in place of a graph of another layout an empty one answers. */
export function readableGraph(record: GraphRecord): GraphRecord {
  const { layout, generation, highest, rewrite, obsolete } = record;
  if (layout === graphLayout) return record;
  const begun = rewrite === null || rewrite.target === generation ? [] : [rewrite.target];
  const empty = highest + 1;
  const emptied = { generation: empty, highest: empty, obsolete: [...obsolete, ...begun, generation], rewrite: null };
  return { ...record, ...emptied, layout: graphLayout, incomplete: true };
}

/** A graph by the names that are recorded now; one that was being made by older names never answers. */
export function beginRewrite(record: GraphRecord, now: Date): GraphRecord {
  const { rewrite, obsolete, highest } = record;
  const abandoned = rewrite !== null && rewrite.target !== record.generation ? [rewrite.target] : [];
  const at = now.toISOString();
  return {
    ...record,
    highest: highest + 1,
    obsolete: [...obsolete, ...abandoned],
    rewrite: { target: highest + 1, state: 'replaying', began_at: at, after: null, replayed: 0 },
    due_at: at,
  };
}

/** Whether the graph that a rewrite makes answers by now. */
export const hasSwitched = ({ state }: Rewrite): boolean => state === 'following' || state === 'closing';

export type Names = {
  readonly connectors: readonly Connector[];
  readonly generation: number;
  readonly changes: number;
  readonly forgotten: Forgotten;
  /** Left out by who weighs no evidence. */
  readonly feeds?: Feeds | undefined;
  /** See the record of the graph. */
  readonly incomplete?: boolean | undefined;
  /** For how many days an observation holds if no connector owns the relation; undefined: the default. */
  readonly unownedRetentionDays?: number | undefined;
};

/** The names for reading a graph: those in force, which a rewrite that is under way has not replaced yet. */
export const namesOf = (connectors: readonly Connector[], record: GraphRecord | null): Names => ({
  connectors: inForce(connectors, (record?.held ?? {}) as HeldNamings),
  generation: record?.generation ?? 0,
  changes: record?.changes ?? 0,
  forgotten: record?.forgotten ?? {},
  feeds: record?.feeds ?? {},
  incomplete: record?.incomplete ?? false,
});

export const openedGraph = (
  workspace: WorkspaceId,
  { generation, forgotten, feeds, incomplete, unownedRetentionDays }: Omit<Names, 'connectors' | 'changes'>,
): OpenGraph => ({ graph: graphOf(workspace, generation), forgotten, feeds, incomplete, unownedRetentionDays });

export type OpenGraph = Omit<Names, 'connectors' | 'changes' | 'generation'> & { readonly graph: GraphId };

/** What a delivery names that a connector's settings may give a meaning: only such deliveries does a change concern. */
export type UsedName =
  /** With the names of its datasets that no connector had. */
  | { readonly kind: 'namespace'; readonly namespace: string; readonly unowned?: ReadonlySet<string> }
  | { readonly kind: 'connector'; readonly id: string }
  | { readonly kind: 'datahub' };

/** The same name for all spellings of a namespace. */
export function usedNameKey(name: UsedName): string {
  switch (name.kind) {
    case 'namespace':
      return `namespace:${bindingKey(name.namespace)}`;
    case 'connector':
      return `connector:${name.id}`;
    case 'datahub':
      return 'datahub';
  }
}

const datahub: UsedName = { kind: 'datahub' };
const namespacesOf = (namespaces: readonly string[]) =>
  namespaces.map((namespace): UsedName => ({ kind: 'namespace', namespace }));

/** The names that mean something else once a connector has these settings, or is new (`before` null). */
export function namesAffected(before: Connector | null, after: Connector): readonly UsedName[] {
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

/** Reads the connectors before the record, both consistently, so that nothing that the record holds back is missed. */
export type NamesReader = (
  workspace: WorkspaceId,
  alongside?: (connectors: readonly ConnectorId[]) => Promise<void>,
) => Promise<Names>;

export type GraphRecords = {
  readonly find: (
    workspace: WorkspaceId,
  ) => Promise<{ readonly record: GraphRecord; readonly revision: number } | null>;
  /** False where another write came between. */
  readonly advance: (
    found: { readonly record: GraphRecord; readonly revision: number },
    to: GraphRecord,
  ) => Promise<boolean>;
  /** Those whose next step is due. Read from an index: moments late. */
  readonly due: (now: string, limit: number) => Promise<readonly GraphRecord[]>;
};

export type UsedNames = {
  /** Keeps that a feed names them; answers whether all were known before `since`, by the process's monotonic clock. */
  readonly keep: (
    place: { readonly workspace: WorkspaceId; readonly provider: string; readonly since: number },
    names: readonly UsedName[],
  ) => Promise<boolean>;
};

/** At least once, in any order. */
export type RewriteQueue = {
  readonly send: (message: RewriteNames, options?: { readonly delaySeconds: number }) => Promise<void>;
};

export const rewriteMessage = ({ workspace_id, changes, step }: GraphRecord): RewriteNames => ({
  version: 1,
  kind: 'rewrite_names',
  workspace_id,
  changes,
  step,
});
