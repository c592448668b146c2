import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Node, Urn } from './node.ts';

/** The relations of connectors by their last name part, for references that leave leading parts out. */
export type RelationDirectory = {
  /**
   * Makes nodes findable by name. Those that are findable already are left alone, unless all is to be written anew.
   * Nodes that are findable by name are made so by columns, in the form of `indexedColumn`, that they were not yet.
   */
  readonly add: (
    workspace: WorkspaceId,
    nodes: readonly Node[],
    options?: { readonly anew?: boolean; readonly columns?: ReadonlyMap<Urn, ReadonlySet<string>> },
  ) => Promise<void>;
  /** The relations of a connector whose last part is `table`, whatever its case. */
  readonly named: (workspace: WorkspaceId, connector: ConnectorId, table: string) => Promise<RelationEntry[]>;
  /** Whether the connector has any relation in the graph. */
  readonly any: (workspace: WorkspaceId, connector: ConnectorId) => Promise<boolean>;
};

export type RelationEntry = { readonly connectorId: ConnectorId; readonly ref: string; readonly table: string };

/** Nodes by the beginnings of the parts of their names. An entry may outlive its node. */
export type NameIndex = {
  /** The entries of tails (`indexedTails`) that begin with a prefix, in the order of tails, after a place. */
  readonly beginningWith: (
    workspace: WorkspaceId,
    prefix: string,
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<NameEntries>;
  /** Whether the leading part of some name has a tail that begins so. */
  readonly leads: (workspace: WorkspaceId, prefix: string) => Promise<boolean>;
  /** Nodes that are so connected that a page of neighbours did not hold them, the most connected first. */
  readonly wideNodes: (workspace: WorkspaceId, limit: number) => Promise<readonly Urn[]>;
  /** Lists a node among those, by the level of one of its sides. */
  readonly addWideNode: (workspace: WorkspaceId, urn: Urn, level: number) => Promise<void>;
};

type NameEntry = { readonly tail: string; readonly urn: Urn; readonly place: string };
/** `next`: the place to go on from; null where there are no more. */
export type NameEntries = { readonly entries: readonly NameEntry[]; readonly next: string | null };

/** Relations by the beginnings of the names of their columns. A posting may outlive what it tells. */
export type ColumnIndex = {
  /**
   * The postings that name a column of that beginning, after a place: those of recent statements, then the others in
   * the order of columns. A relation may be on several; a posting may move from the first to the others at any time.
   */
  readonly beginningWith: (
    workspace: WorkspaceId,
    prefix: string,
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<{ readonly postings: readonly ColumnPosting[]; readonly next: string | null }>;
};

/** Some relations that have some columns, each of them all. */
export type ColumnPosting = {
  readonly columns: readonly string[];
  readonly urns: readonly Urn[];
  readonly place: string;
};
