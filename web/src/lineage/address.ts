import { replaceEqualDeep } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import { type Verdict, verdicts } from '../../../shared/contract/vocabulary.ts';
import type { Search } from '../search-parameters.ts';
import { type Grouping, groupings } from './groups.ts';

type Direction = 'upstream' | 'downstream' | 'both';

/** What the page shows, as its address says it. */
export type Address = {
  readonly connector: string;
  readonly relation: string;
  readonly column: readonly string[];
  readonly direction: Direction;
  /** Null: to the end. */
  readonly depth: number | null;
  readonly as_of: string | null;
  readonly view: 'graph' | 'table';
  readonly stale: boolean;
  /** The verdicts of the edges to show; empty: all. */
  readonly verdict: readonly Verdict[];
  /** The schema whose relations are lit, and listed in the table; null: all. */
  readonly schema: string | null;
  /** Relations that were expanded, by side. */
  readonly up: readonly string[];
  readonly down: readonly string[];
  readonly hide: readonly string[];
  readonly open: readonly string[];
  readonly group: Grouping;
  readonly edge: { readonly upstream: string; readonly downstream: string } | null;
  /** The relation that the panel is about; null: the root. */
  readonly selected: string | null;
  /** The relation to which the path is lit. */
  readonly to: string | null;
};

/** As far as one answer goes. */
export const mostDepth = 10;

const one = (value: Search[string]): string | null => (value === undefined ? null : ([value].flat()[0] ?? null));
const many = (value: Search[string]): readonly string[] => (value === undefined ? [] : [value].flat());

export function readAddress(search: Search): Address {
  const depth = Number(one(search['depth']) ?? Number.NaN);
  const [upstream, downstream] = [one(search['edge_from']), one(search['edge_to'])];
  const direction = one(search['direction']);
  return {
    connector: one(search['connector']) ?? '',
    relation: one(search['relation']) ?? '',
    column: many(search['column']),
    direction: direction === 'upstream' || direction === 'downstream' ? direction : 'both',
    depth: Number.isInteger(depth) && depth >= 1 && depth <= mostDepth ? depth : null,
    as_of: one(search['as_of']),
    view: one(search['view']) === 'table' ? 'table' : 'graph',
    stale: one(search['stale']) === 'yes',
    verdict: verdicts.filter((verdict) => many(search['verdict']).includes(verdict)),
    schema: one(search['schema']),
    up: many(search['up']),
    down: many(search['down']),
    hide: many(search['hide']),
    open: many(search['open']),
    group: groupings.find((grouping) => grouping === one(search['group'])) ?? 'schema',
    edge: upstream !== null && downstream !== null ? { upstream, downstream } : null,
    selected: one(search['selected']),
    to: one(search['to']),
  };
}

/** As the search of an address: what is as usual is left out. */
export const written = ({ edge, ...address }: Address) => ({
  ...address,
  group: address.group === 'schema' ? undefined : address.group,
  direction: address.direction === 'both' ? undefined : address.direction,
  depth: address.depth === null ? undefined : String(address.depth),
  as_of: address.as_of ?? undefined,
  selected: address.selected ?? undefined,
  to: address.to ?? undefined,
  schema: address.schema ?? undefined,
  view: address.view === 'graph' ? undefined : address.view,
  stale: address.stale ? 'yes' : undefined,
  edge_from: edge?.upstream,
  edge_to: edge?.downstream,
});

/** What the same question about another relation changes: nothing is expanded, hidden or chosen there yet. */
export const askedAbout = (connector: string, relation: string) => ({
  ...{ connector, relation, column: [], up: [], down: [], hide: [], open: [] },
  ...{ edge: null, to: null, selected: null },
});

export type Change = (change: Partial<Address>) => void;

/** The address, how to change it, and how to take the last change back. */
export function useAddress(): {
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
} {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  // Lists that are equal stay the same ones, so that only what changed is made anew.
  const last = useRef<Address | null>(null);
  const address = useMemo(() => replaceEqualDeep(last.current, readAddress(search)) as Address, [search]);
  last.current = address;
  const before = useRef<Address[]>([]);
  const go = useCallback(
    (next: Address) => void navigate({ to: '/lineage', search: written(next), resetScroll: false }),
    [navigate],
  );
  const change = useCallback(
    (part: Partial<Address>) => {
      // What the panel shows is no step to take back.
      if (Object.keys(part).some((key) => key !== 'selected' && key !== 'edge'))
        before.current = [...before.current, address];
      go({ ...address, ...part });
    },
    [address, go],
  );
  const undo = useCallback(() => {
    const last = before.current.at(-1);
    before.current = before.current.slice(0, -1);
    if (last !== undefined) go(last);
  }, [go]);
  return { address, change, undo: before.current.length > 0 ? undo : null };
}
