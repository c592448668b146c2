import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { worldQuery } from '../api/queries.ts';
import { SearchBox } from '../find/search-box.tsx';
import { Failure } from '../parts/failure.tsx';
import { settings } from '../settings.ts';
import { useSession, wasRefused } from '../sign-in/session.ts';
import { signOut, startSignIn, wasSignedIn } from '../sign-in/sign-in.ts';
import { texts } from '../texts.ts';
import { chooseTheme, chosenTheme, themes } from './theme.ts';
import { chooseWorkspace, may, useWorkspace } from './world.ts';

const open = ['/sign-in', '/signed-in'];

/** The frame around every page; who is not signed in is sent to sign in, and back. */
export function Shell() {
  const { pathname, href } = useLocation();
  const session = useSession();
  const isOpen = open.includes(pathname);
  const isBarred = session === null && !isOpen;
  const { history } = useRouter();
  useEffect(() => {
    if (!isBarred) return;
    if (wasSignedIn() && settings.issuer !== null) void startSignIn(href, { silent: true });
    else
      history.replace(
        `/sign-in?${new URLSearchParams({ return: href, ...(wasRefused() && { refused: 'session_ended' }) })}`,
      );
  }, [isBarred, href, history]);
  if (isBarred) return null;
  return (
    <>
      <a className="skip" href="#page">
        {texts.nav.skip}
      </a>
      <div className="shell">
        <Header signedIn={session !== null} person={session?.person ?? null} />
        {session !== null && <Pages />}
        <main id="page" tabIndex={-1}>
          {isOpen ? <Outlet /> : <Belonging />}
        </main>
      </div>
    </>
  );
}

/** A page, once it is known which workspaces there are. */
function Belonging() {
  const { data, error, isPending, refetch } = useQuery(worldQuery);
  if (isPending) return <p role="status">{texts.loading}</p>;
  if (error) return <Failure error={error} retry={refetch} />;
  if (data.length === 0) return <p className="empty">{texts.errors.noWorkspace}</p>;
  return <Outlet />;
}

function Header({ signedIn, person }: { readonly signedIn: boolean; readonly person: string | null }) {
  return (
    <header className="top">
      <Link to="/" className="brand">
        <Mark />
        <span>{texts.product}</span>
      </Link>
      {signedIn && <SearchBox />}
      <div className="tools">
        {signedIn && <WorkspaceChoice />}
        <ThemeChoice />
        {signedIn && (
          <button
            type="button"
            className="quiet"
            onClick={signOut}
            title={person ? texts.signIn.as(person) : undefined}
          >
            {texts.signIn.out}
          </button>
        )}
      </div>
    </header>
  );
}

function WorkspaceChoice() {
  const { data = [] } = useQuery(worldQuery);
  const workspace = useWorkspace();
  const { history } = useRouter();
  if (data.length < 2) return workspace && <span className="workspace">{workspace.name}</span>;
  const choose = (id: string) => {
    chooseWorkspace(id);
    // The address may name a connector of the other workspace.
    history.push('/');
  };
  return (
    <select aria-label={texts.workspace} value={workspace?.id} onChange={({ target }) => choose(target.value)}>
      {data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <select
      aria-label={texts.theme.label}
      value={theme}
      onChange={({ target }) => {
        const next = themes.find((one) => one === target.value) ?? 'system';
        chooseTheme(next);
        setTheme(next);
      }}
    >
      {themes.map((one) => (
        <option key={one} value={one}>
          {texts.theme[one]}
        </option>
      ))}
    </select>
  );
}

const asking = ['/', '/lineage', '/changes'] as const;
const names = {
  '/': texts.nav.find,
  '/lineage': texts.nav.lineage,
  '/changes': texts.nav.changes,
  '/providers': texts.nav.providers,
  '/deliveries': texts.nav.deliveries,
  '/gaps': texts.nav.gaps,
  '/policy': texts.nav.policy,
  '/tokens': texts.nav.tokens,
  '/collection': texts.nav.collection,
  '/access': texts.nav.access,
  '/checks': texts.nav.checks,
} as const;
const running = [
  '/providers',
  '/deliveries',
  '/gaps',
  '/checks',
  '/policy',
  '/collection',
  '/tokens',
  '/access',
] as const;

/** Pages that need the role admin. */
const ofAdmins: readonly string[] = ['/policy', '/collection', '/tokens'];

function Pages() {
  const isAdmin = may(useWorkspace(), 'admin');
  const { pathname } = useLocation();
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open page changes with the path, the list with the role.
  useEffect(() => {
    // On a narrow screen the list is wider than the screen.
    list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname, isAdmin]);
  return (
    <nav className="pages" aria-label={texts.nav.label} ref={list}>
      {[
        { title: texts.nav.ask, pages: asking },
        { title: texts.nav.run, pages: running },
      ].map(({ title, pages }) => (
        <div key={title}>
          <span className="pages-title">{title}</span>
          <ul>
            {pages
              .filter((page) => isAdmin || !ofAdmins.includes(page))
              .map((page) => (
                <li key={page}>
                  <Link to={page} activeOptions={{ exact: page === '/', includeSearch: false }}>
                    {names[page]}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The product's mark: streams that become one. */
const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="mark-ground" />
    <path d="M6 9c8 0 8 7 20 7M6 23c8 0 8-7 20-7M6 16h20" className="mark-streams" />
  </svg>
);
