import { beginningOf } from '../../../contract/fields.ts';
import type { ConnectorId } from '../../../contract/ids.ts';
import type { GraphId, Node, Urn } from './node.ts';

/** Of a name's parts the first and the last are findable, if it has more. */
const firstParts = 8;
const lastParts = 24;
/** Code points after a part's beginning: a sort key holds 1,024 bytes. */
const longestTail = 200;

/** A name from each of its parts on, in lower case. Parts end at signs and where the case changes (C-RELATION-1). */
export function nameTails(name: string): string[] {
  const starts = partStarts(name);
  const tails = (starts.length === 0 ? [0] : starts).map((at) => cut(name.slice(at).toLowerCase()));
  return [...new Set(tails)].filter((tail) => tail !== '');
}

/** Parts of a name, each by itself and with those that follow, in lower case: those with as many characters as a range allows. */
export function nameRuns(name: string, { least, most }: { readonly least: number; readonly most: number }): string[] {
  const starts = partStarts(name);
  const letters = [...name.matchAll(/[\p{L}\p{N}]/gu)].map(({ index, 0: letter }) => ({
    index,
    end: index + letter.length,
  }));
  const endBefore = (next = name.length) => letters.findLast(({ index }) => index < next)?.end ?? 0;
  const ends = starts.map((_, i) => endBefore(starts[i + 1]));
  return starts.flatMap((start, i) =>
    ends
      .slice(i)
      .filter((end) => end - start >= least && end - start <= most)
      .map((end) => name.slice(start, end).toLowerCase()),
  );
}

function partStarts(name: string): number[] {
  const starts = [...name.matchAll(/[\p{L}\p{N}]/gu)].map(({ index }) => index).filter((at) => beginsPart(name, at));
  return starts.length > firstParts + lastParts
    ? [...starts.slice(0, firstParts), ...starts.slice(-lastParts)]
    : starts;
}

/** The length of the database, host or scheme, which many names share, with its separator; 0 if no part follows. */
function leadingLength(name: string): number {
  const separator = name.search(/[./]/);
  return separator >= 0 && /[\p{L}\p{N}]/u.test(name.slice(separator)) ? separator + 1 : 0;
}

/** The indexed tails of a name: those of its leading part are common, and are indexed once for all names. */
export function indexedTails(name: string): { readonly own: string[]; readonly leading: string[] } {
  const length = leadingLength(name);
  return { own: nameTails(name.slice(length)), leading: nameTails(name.slice(0, Math.max(0, length - 1))) };
}

/** What tails of the leading parts of names that match a word begin with; null if the word goes beyond them. */
export function leadingBeginning(word: string): string | null {
  if (leadingLength(word) > 0) return null;
  const last = [...word.matchAll(/[\p{L}\p{N}]/gu)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  const separator = word.slice(end).search(/[./]/);
  return separator < 0 ? word : word.slice(0, end + separator);
}

/** What the indexed tails of the names that match a word begin with. */
export function indexedBeginning(word: string): string {
  const length = leadingLength(word);
  return length === 0 ? word : word.slice(length).replace(/^[^\p{L}\p{N}]+/u, '');
}

const letterOrNumber = /[\p{L}\p{N}]$/u;
const lower = /\p{Ll}$/u;
const upper = /\p{Lu}$/u;

function beginsPart(name: string, at: number): boolean {
  const before = name.slice(Math.max(0, at - 2), at);
  if (!letterOrNumber.test(before)) return true;
  const [own = '', next = ''] = name.slice(at, at + 4);
  if (!upper.test(own)) return false;
  // `customerOrders` has two parts, and so has `HTTPServer`.
  return !upper.test(before) || lower.test(next);
}

/** The words of a search: each has to be the beginning of a part. */
export const searchWords = (query: string): string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/\s+/)
      .map((word) => cut(word.slice(Math.max(0, word.search(/[\p{L}\p{N}]/u)))))
      .filter((word) => word !== ''),
  ),
];

/** How a column is indexed, and how what is searched for is compared with it. */
export const indexedColumn = (name: string): string => cut(name.toLowerCase());

const cut = (text: string): string => beginningOf(text, longestTail);

/** The relations of connectors by their last name part, for references that leave leading parts out. */
export type RelationDirectory = {
  /**
   * Makes nodes findable by name, and then by their columns in the form of `indexedColumn`. Skips what is findable.
   */
  readonly add: (
    graph: GraphId,
    nodes: readonly Node[],
    columns?: ReadonlyMap<Urn, ReadonlySet<string>>,
  ) => Promise<void>;
  /** The relations of a connector whose last part is `table`, whatever its case. */
  readonly named: (graph: GraphId, connector: ConnectorId, table: string) => Promise<RelationEntry[]>;
  /** Whether the connector has any relation in the graph. */
  readonly any: (graph: GraphId, connector: ConnectorId) => Promise<boolean>;
};

export type RelationEntry = { readonly connectorId: ConnectorId; readonly ref: string; readonly table: string };

/** Nodes by the beginnings of the parts of their names. An entry may outlive its node. */
export type NameIndex = {
  /** The entries of tails (`indexedTails`) that begin with a prefix, in the order of tails, after a place. */
  readonly beginningWith: (
    graph: GraphId,
    prefix: string,
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<NameEntries>;
  /** Whether the leading part of some name has a tail that begins so. */
  readonly leads: (graph: GraphId, prefix: string) => Promise<boolean>;
  /** Nodes that are so connected that a page of neighbours did not hold them, the most connected first. */
  readonly wideNodes: (graph: GraphId, limit: number) => Promise<readonly Urn[]>;
};

type NameEntry = { readonly tail: string; readonly urn: Urn; readonly place: string };
/** `next`: the place to go on from; null if there are no more. */
export type NameEntries = { readonly entries: readonly NameEntry[]; readonly next: string | null };

/** Relations by the beginnings of the names of their columns. A posting may outlive what it tells. */
export type ColumnIndex = {
  /** Postings of columns with some beginnings: recent statements, then by column. They may repeat, and move to the latter. */
  readonly beginningWith: (
    graph: GraphId,
    prefixes: readonly string[],
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<{ readonly postings: readonly ColumnPosting[]; readonly next: string | null }>;
};

/** Some relations that have some columns, each of them all. */
export type ColumnPosting = {
  readonly columns: readonly string[];
  readonly urns: readonly Urn[];
  readonly place: string;
};
