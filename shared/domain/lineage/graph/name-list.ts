import type { WorkspaceId } from '../../../contract/ids.ts';
import { refOf, type Urn } from './node.ts';

/** What a workspace's relations and columns were called when the list was made. A hint: names may be gone or missing. */
export type NameList = {
  readonly names: readonly ListedName[];
  /** In the form of `indexedColumn`, each once, sorted. */
  readonly columns: readonly string[];
  /** Whether there are more than a list holds. */
  readonly isCut: boolean;
};

type ListedName = { readonly urn: Urn; readonly ref: string; readonly lower: string };

/** A list as it is stored. */
export type StoredNames = Pick<NameList, 'columns' | 'isCut'> & { readonly urns: readonly Urn[] };

export type NameLists = {
  /** An empty list where none has been made. */
  readonly read: (workspace: WorkspaceId) => Promise<NameList>;
  readonly put: (workspace: WorkspaceId, names: StoredNames) => Promise<void>;
};

/** A search holds the list in memory and looks at each of its names. */
export const mostListed = { names: 200_000, columns: 100_000 } as const;

export const nameList = ({ urns, ...list }: StoredNames): NameList => ({
  ...list,
  names: urns.map((urn) => {
    const ref = refOf(urn);
    return { urn, ref, lower: ref.toLowerCase() };
  }),
});

export const emptyNameList: NameList = { names: [], columns: [], isCut: false };
