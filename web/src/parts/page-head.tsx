import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type PageHeadProps = { readonly title: string; readonly lead: string; readonly children?: ReactNode };

export const PageHead = ({ title, lead, children }: PageHeadProps) => (
  <header className="page-head">
    <div>
      <h1>{title}</h1>
      <p>{lead}</p>
    </div>
    {children}
  </header>
);

/** A link to a page of the explorer, by an address that the service gave. */
export function PageLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const { pathname, searchParams } = new URL(href, 'https://explorer.invalid');
  return (
    <Link to={pathname} search={Object.fromEntries(searchParams)}>
      {children}
    </Link>
  );
}
