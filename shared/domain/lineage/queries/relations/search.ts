import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import { indexedTails, nameTails, searchWords } from '../../graph/name-parts.ts';
import { nodeOf, ownerOf, refOf, type Urn } from '../../graph/node.ts';

export type RelationSearch = {
  readonly workspace: WorkspaceId;
  readonly connectorId: ConnectorId | null;
  readonly query: string;
  readonly limit: number;
  readonly cursor: string | null;
};

/** Whether a node belongs to the connector; true for every node if no connector is given. */
export const isOfConnector =
  (connectorId: ConnectorId | null) =>
  (urn: Urn): boolean => {
    const node = nodeOf(urn);
    return connectorId === null || ownerOf(node) === connectorId;
  };

export type Search = {
  readonly words: readonly string[];
  readonly isWanted: (urn: Urn) => boolean;
};

export const searchOf = ({ connectorId, query }: RelationSearch): Search => ({
  words: searchWords(query),
  isWanted: isOfConnector(connectorId),
});

/** Whether every word is the beginning of a part of the name (C-RELATION-1). */
export function matches({ words, isWanted }: Search, urn: Urn): boolean {
  if (!isWanted(urn)) return false;
  const ref = refOf(urn);
  // Most names are refused by this, at a hundredth of the price of telling their parts.
  if (isAscii(ref) && !words.every((word) => ref.toLowerCase().includes(word))) return false;
  const tails = nameTails(ref);
  return words.every((word) => tails.some((tail) => tail.startsWith(word)));
}

/** A name may have several parts that begin with the word: it counts at the first of its entries. */
export const firstEntryOf = (urn: Urn, beginning: string): string | undefined =>
  indexedTails(refOf(urn))
    .own.filter((one) => one.startsWith(beginning))
    .sort()[0];

/** What a part of another name reads like in lower case may depend on what stands before it. */
export const isAscii = (text: string): boolean => !/[^\x20-\x7e]/.test(text);
