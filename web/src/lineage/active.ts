import { createContext, useContext } from 'react';
import type { Address, Change } from './address.ts';

/** What the parts of the picture share: which relation is active, which column is lit, and how to change the address. */
export type PictureState = {
  readonly address: Address;
  readonly change: Change;
  readonly root: string;
  /** The relation whose tools are shown: the last that was pointed at or focused. */
  readonly active: string;
  readonly activate: (id: string) => void;
  /** The relation that is to take the focus, after the keyboard moved to it. */
  readonly focused: string | null;
  readonly move: (from: string, key: string) => void;
  readonly withColumns: boolean;
  readonly litColumns: ReadonlySet<string>;
  readonly light: (column: string | null) => void;
  /** What lies on the path to the chosen relation; null where none is chosen. */
  readonly path: ReadonlySet<string> | null;
  /** How many neighbours of each relation are in the picture, alone or in a group. */
  readonly neighbours: Neighbours;
};

/** By relation, on each side. */
export type Neighbours = ReadonlyMap<string, { readonly upstream: number; readonly downstream: number }>;

export const PictureContext = createContext<PictureState | null>(null);

export function usePicture(): PictureState {
  const state = useContext(PictureContext);
  if (state === null) throw new Error('A part of the picture stands outside of it.');
  return state;
}

export const columnKey = (relation: string, column: string): string => `${relation}\n${column}`;
