import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Failure } from './failure.tsx';

type QueryState = { readonly isPending: boolean; readonly error: Error | null; readonly refetch?: () => unknown };

type ListedProps = {
  readonly query: QueryState;
  /** The title of the table, its headings, and what is said if it is empty. */
  readonly of: { readonly title: string; readonly headings: object; readonly none: string };
  readonly needs?: string;
  readonly children: readonly ReactNode[];
};

/** A table of a query's result: loading, failed, empty or full. */
export function Listed({ query, of: { title, headings, none }, needs = 'viewer', children }: ListedProps) {
  if (query.isPending) return <p role="status">{texts.loading}</p>;
  if (query.error)
    return <Failure error={query.error} needs={needs} {...(query.refetch && { retry: query.refetch })} />;
  if (children.length === 0) return <p className="empty">{none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className="table-frame" aria-label={title} tabIndex={0}>
      <table aria-label={title}>
        <TableHead headings={Object.values(headings)} />
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

export const TableHead = ({ headings }: { readonly headings: readonly string[] }) => (
  <thead>
    <tr>
      {headings.map((heading) => (
        <th key={heading} scope="col">
          {heading}
        </th>
      ))}
    </tr>
  </thead>
);
