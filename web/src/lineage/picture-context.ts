import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LayerReader } from '../parts/layer.tsx';
import type { Address, Change } from './address.ts';
import type { ColumnPath, EdgeOfAnswer } from './answer.ts';

/** What the parts of the picture share: the address, the highlighted columns, and the active relation. */
export type PictureState = {
  readonly address: Address;
  readonly change: Change;
  readonly root: string;
  readonly nodeFocus: NodeFocus;
  readonly move: (from: string, key: string) => void;
  readonly withColumns: boolean;
  /** What happens to a column on its way here, by its key. */
  readonly changes: ReadonlyMap<string, ColumnPath>;
  readonly highlightedColumns: ReadonlySet<string>;
  readonly highlight: (column: string | null) => void;
  /** What lies on the path to the chosen relation, or is of the chosen schema; null if none is chosen. */
  readonly path: ReadonlySet<string> | null;
  /** The edges of the answer, with those between members of a group. */
  readonly edges: readonly EdgeOfAnswer[];
  readonly layerOf: LayerReader;
  /** The connector on which a relation of the picture is meant: two connectors may have one of the same name. */
  readonly connectorOf: (relation: string) => string;
  /** The owners of a relation, as far as the answer names them. */
  readonly ownersOf: (relation: string) => readonly string[];
};

export const PictureContext = createContext<PictureState | null>(null);

export function usePicture(): PictureState {
  const state = useContext(PictureContext);
  if (state === null) throw new Error('A part of the picture stands outside of it.');
  return state;
}

export const columnKey = (relation: string, column: string): string => `${relation}\n${column}`;

/**
 * Which part of the picture is active, and which has the keyboard's focus. It is no React state of the picture: of
 * thousands of relations only the two that are left and entered are rendered again.
 */
export type NodeFocus = {
  /** The relation whose tools are shown: the last that was pointed at or focused. */
  readonly active: () => string;
  /** The relation that is to take the focus, after the keyboard moved to it. */
  readonly focused: () => string | null;
  readonly activate: (id: string) => void;
  readonly focus: (id: string) => void;
  /** What is lit because of the pointer, else a search, else a click; null: everything. */
  readonly lit: () => ReadonlySet<string> | null;
  readonly light: (by: 'pointer' | 'search' | 'click', ids: ReadonlySet<string> | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createNodeFocus(root: string): NodeFocus {
  const listeners = new Set<() => void>();
  let [active, focused]: [string, string | null] = [root, null];
  const lit: Record<Parameters<NodeFocus['light']>[0], ReadonlySet<string> | null> = {
    ...{ pointer: null, search: null, click: null },
  };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    active: () => active,
    focused: () => focused,
    activate: (id) => {
      if (id === active) return;
      active = id;
      tell();
    },
    focus: (id) => {
      focused = id;
      tell();
    },
    lit: () => lit.pointer ?? lit.search ?? lit.click,
    light: (by, ids) => {
      if (ids === lit[by]) return;
      lit[by] = ids;
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whether parts of the picture stand back, because others are lit or on the chosen path. */
export function useDimmed(...ids: readonly string[]): boolean {
  const { nodeFocus, path } = usePicture();
  const lit = useSyncExternalStore(nodeFocus.subscribe, nodeFocus.lit);
  return [lit, path].some((shown) => shown !== null && !ids.every((id) => shown.has(id)));
}

/** Whether a part of the picture is active, and whether it is to take the keyboard's focus. */
export function useNodeFocus(id: string): { readonly isActive: boolean; readonly isFocused: boolean } {
  const { nodeFocus } = usePicture();
  return {
    isActive: useSyncExternalStore(nodeFocus.subscribe, () => nodeFocus.active() === id),
    isFocused: useSyncExternalStore(nodeFocus.subscribe, () => nodeFocus.focused() === id),
  };
}
