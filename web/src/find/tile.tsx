import type { ReactNode } from 'react';
import { Failure } from '../parts/failure.tsx';
import { texts } from '../texts.ts';

type TileProps = {
  readonly title: string;
  readonly query: { readonly isPending: boolean; readonly error: Error | null };
  readonly empty: string;
  /** Over the whole width. */
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A part of the page that loads, fails and may be empty by itself; empty children are none. */
export function Tile({ title, query: { isPending, error }, empty, wide = false, children }: TileProps) {
  const isEmpty = Array.isArray(children) && children.length === 0;
  return (
    <section className="tile card" aria-label={title} data-wide={wide}>
      <h2>{title}</h2>
      {isPending ? (
        <p role="status" className="dim">
          {texts.loading}
        </p>
      ) : error ? (
        <Failure error={error} needs="viewer" />
      ) : isEmpty ? (
        <p className="dim">{empty}</p>
      ) : (
        <ul className="plain">{children}</ul>
      )}
    </section>
  );
}
