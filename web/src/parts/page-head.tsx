import type { ReactNode } from 'react';

type PageHeadProps = { readonly title: string; readonly lead: string; readonly children?: ReactNode };

/** The head of a page: what it is, and what can be chosen for all of it. */
export const PageHead = ({ title, lead, children }: PageHeadProps) => (
  <header className="page-head">
    <div>
      <h1>{title}</h1>
      <p>{lead}</p>
    </div>
    {children}
  </header>
);
